/** Runs things after what has come in already. A message of one's own is put behind it, and unlike a timer has no delay. */
export const createAfterOthers = (): ((run: () => void) => void) => {
  const { port1, port2 } = new MessageChannel()
  const waiting: (() => void)[] = []
  port1.onmessage = () => waiting.shift()?.()
  return run => {
    waiting.push(run)
    port2.postMessage(undefined)
  }
}
