import { existsSync, readFileSync, readlinkSync } from 'node:fs'

const SELF = '/proc/thread-self'
/** What Linux says of this thread, also to other processes. */
export const THREAD = existsSync(SELF) ? `/proc/${readlinkSync(SELF)}/schedstat` : ''

/** Milliseconds for which this thread has run: other programs of the computer do not count. Without Linux, of the clock. */
export function timeOfThread(): number {
  return THREAD === '' ? performance.now() : Number(readFileSync(THREAD, 'utf8').split(' ')[0]) / 1e6
}

/** For how long nothing else could be answered. */
export function watchPauses() {
  let [last, longest] = [timeOfThread(), 0]
  const timer = setInterval(() => {
    const now = timeOfThread()
    longest = Math.max(longest, now - last)
    last = now
  }, 5)
  return {
    reset: () => {
      last = timeOfThread()
      longest = 0
    },
    longest: () => Math.round(longest),
    stop: () => clearInterval(timer),
  }
}
