/** Keys are made by the browser, some at a time. */
export function cpus(): readonly number[] {
  return Array.from({ length: navigator.hardwareConcurrency }, (_, at) => at)
}
