import { isFaulty } from '../../journal/faults.ts'
import type { Recording } from '../../journal/recording.ts'
import type { Timeline } from '../../machines/screens/player/player.events.ts'

const CLOCK_EVENTS = new Set(['clock.ticked', 'clock.compared', 'relay.dataReceived'])

export function timelineOf({ checkpoints, entries, mark }: Recording, isExact: boolean): Timeline {
  const after = (holds: (entry: Recording['entries'][number]) => boolean): readonly number[] =>
    entries.flatMap((entry, index) => (holds(entry) ? [index + 1] : []))
  return {
    times: entries.map(({ at }) => at),
    from: checkpoints[0]?.at ?? 0,
    steps: after(({ event }) => !CLOCK_EVENTS.has(event.type)),
    faults: after(isFaulty),
    ...(mark === undefined ? {} : { mark }),
    isExact,
  }
}
