import type { MqttReader } from '../alerts/channels/mqtt-inputs.ts'
import type { MeterSettings } from '../config/meter-settings.ts'
import { readingOf, topicsOf, type Reading } from './meter-payloads.ts'

/** The meters of the settings that have a topic. What the broker kept may be old, and says nothing of now. */
export function createMqttMeters(
  meters: readonly MeterSettings[],
  receive: (name: string, reading: Reading) => void,
): MqttReader {
  const byTopic = new Map<string, (MeterSettings & { readonly topic: string })[]>()
  for (const { topic, ...meter } of meters)
    for (const each of topic === undefined ? [] : topicsOf({ kind: meter.kind, topic }))
      byTopic.set(each, [...(byTopic.get(each) ?? []), { ...meter, topic: topic ?? each }])
  return {
    topics: [...byTopic.keys()],
    receive: (topic, payload, isRetained) => {
      if (isRetained) return
      for (const meter of byTopic.get(topic) ?? []) {
        const reading = readingOf(meter, topic, payload)
        if (reading !== undefined) receive(meter.name, reading)
      }
    },
    flush: () => undefined,
  }
}
