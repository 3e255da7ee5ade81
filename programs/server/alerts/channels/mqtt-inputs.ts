import { parsedJson } from '../../../../src/folding/shared/read.ts'
import type { MqttInput } from '../../config/mqtt-settings.ts'
import { numberOf, valueAt } from '../../values.ts'

/** What is read from the broker. */
export type MqttReader = {
  /** Filters of topics. Messages of others arrive too, and are ignored. */
  readonly topics: readonly string[]
  /** A message arrived. `isRetained`: the broker kept it from some earlier time. */
  readonly receive: (topic: string, payload: Uint8Array, isRetained: boolean) => void
  /** Reports what arrived since the last time, the newest value of each input. Called regularly. */
  readonly flush: () => void
}

const MOST_BYTES = 262_144

/** The value of a message: its text, or what is at a path of its JSON. Undefined when it is no number. */
export function inputValue({ path }: Pick<MqttInput, 'path'>, payload: Uint8Array): number | undefined {
  if (payload.length > MOST_BYTES) return undefined
  const text = Buffer.from(payload).toString('utf8')
  return numberOf(path === undefined ? text : valueAt(parsedJson(text), path))
}

/**
 * Inputs of schedules by MQTT. A meter may send many values a second, so only the newest is reported. A value that the
 * broker kept may be old: it counts as new only if it differs from the one that is known.
 */
export function createMqttInputs(
  inputs: readonly MqttInput[],
  currentValue: (name: string) => number | undefined,
  report: (name: string, value: number) => void,
): MqttReader {
  const waiting = new Map<string, number>()
  return {
    topics: [...new Set(inputs.map(({ topic }) => topic))],
    receive: (topic, payload, isRetained) => {
      for (const input of inputs) {
        const value = input.topic === topic ? inputValue(input, payload) : undefined
        if (value !== undefined && !(isRetained && currentValue(input.name) === value)) waiting.set(input.name, value)
      }
    },
    flush: () => {
      for (const [name, value] of waiting) report(name, value)
      waiting.clear()
    },
  }
}
