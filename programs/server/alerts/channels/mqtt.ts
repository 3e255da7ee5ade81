import { channelKind } from './channel.ts'

export const mqtt = channelKind('mqtt', {
  label: 'MQTT',
  sends: 'JSON to the topic `alerts` below `topic` of the broker, `[mqtt]`: an event of Home Assistant',
  settings: {},
  secrets: [],
  mistake: (_, where, { mqtt: { url } }) =>
    url === undefined ? { key: 'kind', message: `${where} needs mqtt.url, the broker.` } : undefined,
  open: ({ name }, { mqtt: publisher }) => {
    if (publisher === undefined) throw new Error('A channel of MQTT has a broker.')
    return publisher.channel(name)
  },
})
