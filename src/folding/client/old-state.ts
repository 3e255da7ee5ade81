/**
 * What is known of a machine through a busy relay may be late. Schedules do not act on what is older: an account of 5,000
 * machines has the states of all within two minutes. Milliseconds.
 */
const OLD_STATE = 180_000

/** Whether the state of a connected machine is too old to act on it. `asOf`: undefined while it is current. */
export function isOldState(
  { isConnected, asOf }: { readonly isConnected: boolean; readonly asOf: number | undefined },
  now: number,
): boolean {
  return isConnected && asOf !== undefined && now - asOf > OLD_STATE
}
