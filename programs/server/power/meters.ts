/*
 * The meters of the settings, and what they have said. Times are epoch milliseconds.
 */
import { wattsOfMeters } from '../../../src/folding/power/draw.ts'
import type { MeterSettings } from '../config/meter-settings.ts'
import type { ListedClient } from '../news.ts'
import type { Reading } from './meter-payloads.ts'
import {
  afterReading,
  MOST_BRIDGED,
  MOST_PEAK_WATTS,
  NO_METER,
  type Counter,
  type Metered,
  type MeterState,
} from './meter.ts'

/** `watts`: what it said last, if it ever said something. */
export type MeterStatus = {
  readonly name: string
  readonly machine: string | undefined
  readonly watts: number | undefined
  readonly at: number | undefined
}

/** Up to where the counter of a meter is counted. `source`: what the settings say of it; another source is another device. */
export type KeptCounter = Counter & { readonly name: string; readonly source: string; readonly peak: number }

export type Meters = {
  /** The meters of a client; undefined: of the house. */
  readonly of: (client: Pick<ListedClient, 'address' | 'givenName'> | undefined) => readonly MeterSettings[]
  readonly list: () => readonly MeterStatus[]
  /** False for a meter that the settings do not have. */
  readonly receive: (name: string, reading: Reading, at: number) => boolean
  /** Forgets what a meter has said: its counter, and the most watts that it has shown. False for one that there is not. */
  readonly reset: (name: string) => boolean
  /** The watts that meters say now, together; undefined while one of them is silent, or without any. */
  readonly watts: (clientMeters: readonly MeterSettings[], at: number) => number | undefined
  /** What meters have told of since this was last asked, together. */
  readonly take: (clientMeters: readonly MeterSettings[]) => Metered | undefined
  /** Whether one of them counts: what it has counted is told when it is heard again. */
  readonly isCounting: (clientMeters: readonly MeterSettings[], at: number) => boolean
  /** Counters up to what `take` has told, so that a later run knows what was counted meanwhile. */
  readonly counters: () => readonly KeptCounter[]
}

function sourceOf({ machine: named = '', kind, topic = '', path = '', unit }: MeterSettings): string {
  return JSON.stringify([named, kind, topic, path, unit])
}

function together(a: Metered | undefined, b: Metered): Metered {
  return a === undefined
    ? b
    : { from: Math.min(a.from, b.from), until: Math.max(a.until, b.until), wattHours: a.wattHours + b.wattHours }
}

/** Whether a meter is named for a client, by its address or its name in the settings. */
export function isMeterOf(
  { machine: named }: { readonly machine?: string | undefined },
  client: Pick<ListedClient, 'address' | 'givenName'> | undefined,
): boolean {
  return client === undefined
    ? named === undefined
    : named !== undefined && (named === client.address || named === client.givenName)
}

function stateFrom(meter: MeterSettings, counters: readonly KeptCounter[]): MeterState {
  const last = counters.find(({ name, source }) => name === meter.name && source === sourceOf(meter))
  return last === undefined
    ? NO_METER
    : {
        counter: { wattHours: last.wattHours, at: last.at },
        peak: Math.min(last.peak, MOST_PEAK_WATTS),
      }
}

/** `counters`: of an earlier run. */
export function createMeters(settings: readonly MeterSettings[], counters: readonly KeptCounter[] = []): Meters {
  const states = new Map(settings.map((meter): [string, MeterState] => [meter.name, stateFrom(meter, counters)]))
  /** The states of meters when what they told was taken. */
  const lastTaken = new Map(states)
  const accumulated = new Map<string, Metered>()
  return {
    of: client => settings.filter(meter => isMeterOf(meter, client)),
    list: () =>
      settings.map(({ name, machine: named }) => {
        const last = states.get(name)?.power
        return { name, machine: named, watts: last?.watts, at: last?.at }
      }),
    receive: (name, reading, at) => {
      const before = states.get(name)
      if (before === undefined) return false
      const { state, metered } = afterReading(before, reading, at)
      states.set(name, state)
      if (metered !== undefined) accumulated.set(name, together(accumulated.get(name), metered))
      return true
    },
    reset: name => {
      if (!states.has(name)) return false
      states.set(name, NO_METER)
      lastTaken.set(name, NO_METER)
      accumulated.delete(name)
      return true
    },
    watts: (clientMeters, at) =>
      wattsOfMeters(
        clientMeters.map(({ name }) => states.get(name)?.power),
        at,
      ),
    take: clientMeters => {
      let all: Metered | undefined
      for (const { name } of clientMeters) {
        const part = accumulated.get(name)
        if (part !== undefined) all = together(all, part)
        accumulated.delete(name)
        lastTaken.set(name, states.get(name) ?? NO_METER)
      }
      return all
    },
    isCounting: (clientMeters, at) =>
      clientMeters.some(({ name }) => at - (states.get(name)?.counter?.at ?? Number.NEGATIVE_INFINITY) <= MOST_BRIDGED),
    counters: () =>
      settings.flatMap(meter => {
        const { counter, peak = 0 } = lastTaken.get(meter.name) ?? NO_METER
        return counter === undefined ? [] : [{ ...counter, peak, name: meter.name, source: sourceOf(meter) }]
      }),
  }
}
