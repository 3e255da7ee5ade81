type Callback = (error: Error | null, result: unknown) => void

/** Of functions that end with a callback. */
export function promisify(run: (...parameters: unknown[]) => void) {
  return (...parameters: unknown[]): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const callback: Callback = (error, result) => {
        if (error === null) resolve(result)
        else reject(error)
      }
      run(...parameters, callback)
    })
}
