/** Milliseconds for which something that can go on without the storage waits for it. */
const PATIENCE = 4000

/** The result of work with a storage, or undefined when it is late; the work goes on. */
export function unlessLate<Value>(work: Promise<Value>): Promise<Value | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const limit = new Promise<undefined>(resolve => {
    timer = setTimeout(() => resolve(undefined), PATIENCE)
  })
  return Promise.race([work, limit]).finally(() => clearTimeout(timer))
}
