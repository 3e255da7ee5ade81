/** Runs functions after all messages that have arrived already. A posted message is queued behind them and, unlike a timer, has no delay. */
export function createMacrotaskQueue(): (run: () => void) => void {
  const { port1, port2 } = new MessageChannel()
  const waiting: (() => void)[] = []
  port1.onmessage = () => waiting.shift()?.()
  return run => {
    waiting.push(run)
    port2.postMessage(undefined)
  }
}
