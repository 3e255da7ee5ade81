export function setImmediate(): Promise<void> {
  return new Promise(resolve => globalThis.setImmediate(resolve))
}
