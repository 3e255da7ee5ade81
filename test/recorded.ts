/* Recorded traffic of a real client and a real relay, replayed, and what several of its files say. */
import { applyChanges } from '../src/protocol/client/changes.ts'
import type { ClientData, Unit } from '../src/protocol/client/client-data.ts'
import type { ClientFact } from '../src/protocol/client/client-message.ts'
import { unpackLines } from '../src/protocol/client/packed-lines.ts'
import { readRecording } from './recording.ts'

export function received(name: string) {
  return readRecording(name).filter(line => line.dir === 'in' && line.type === 'text')
}

export type Replay = {
  data: ClientData | undefined
  log: readonly string[]
  history: readonly Unit[]
  molecules: ClientFact[]
  pings: number
  faults: ClientFact[]
}

export function replay(facts: Iterable<ClientFact>): Replay {
  const state: Replay = { data: undefined, log: [], history: [], molecules: [], pings: 0, faults: [] }
  for (const fact of facts) {
    switch (fact.type) {
      case 'snapshot.received':
        state.data = fact.data
        break
      case 'changes.received':
        state.data =
          state.data &&
          applyChanges(state.data, fact.changes, fault => state.faults.push({ type: 'fault.found', fault }))
        break
      case 'log.received':
        state.log = [...(fact.replace ? [] : state.log), ...unpackLines(fact.lines)]
        break
      // The whole log follows.
      case 'log.tailReceived':
        break
      case 'history.received':
        state.history = fact.replace ? fact.units : [...state.history, ...fact.units]
        break
      case 'topology.received':
      case 'frame.received':
        state.molecules.push(fact)
        break
      case 'ping.received':
        state.pings++
        break
      case 'fault.found':
        state.faults.push(fact)
        break
    }
  }
  return state
}

export const info = {
  version: '8.5.7',
  url: 'https://v8-5.foldingathome.org/',
  os: 'linux',
  os_version: '6.18',
  cpu: 'amd64',
  cpu_brand: 'AMD EPYC',
  cpus: 2,
  gpus: {},
  mach_name: 'vm',
  hostname: 'vm',
  pid: 17481,
  cwd: '/var/lib/fah-client',
  mode: 'Release',
  revision: '660116cecabb7932def3c0ed5b074b9aa84deb3c',
  has_battery: false,
  on_battery: false,
  id: '8NHZu4rlhNjNg76ZorJUhe0KbsBu5Mp3-UbemX_nA8E',
  account: '',
}

export const groupConfig = {
  on_idle: false,
  on_battery: true,
  keep_awake: true,
  paused: true,
  finish: false,
  beta: false,
  cuda: true,
  hip: true,
  key: 0,
  cpus: 1,
  gpus: {},
}

export const calm = { failed_wus: 0, lost_wus: 0, failed: '' }

export const quiet = { log: [], history: [], molecules: [], faults: [] }
