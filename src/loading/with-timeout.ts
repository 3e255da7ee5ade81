/** Settles as `promise` does, or rejects with `late()` after `milliseconds`. */
export function withTimeout<Value>(promise: Promise<Value>, milliseconds: number, late: () => Error): Promise<Value> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late()), milliseconds)
  })
  return Promise.race([promise, limit]).finally(() => clearTimeout(timer))
}
