import { join } from 'node:path'
import type { ClientData } from '../../../src/protocol/client/client-data.ts'
import type { Json } from '../../../src/protocol/json.ts'
import type { Internet } from '../internet/internet.ts'
import type { Realm, RealmOptions } from '../realms/realm.ts'
import { fieldReports, startReport, type CasesProgram, type FieldReport } from './reports.ts'
import { recordingsIn, startRecorded } from './recorded.ts'
import { decodedState } from './said.ts'

/** A client that somebody reported, or that was recorded, with an address in the simulated internet. */
export type Inhabitant = {
  readonly name: string
  readonly address: string
  readonly startedAt: number
  readonly said: () => ClientData | undefined
  /** What is right of its incidents; undefined where nobody has said. */
  readonly report: FieldReport | undefined
}

export type Inhabitants = {
  /** Names of those that can be started; none where ../shared is missing. */
  readonly reports: readonly string[]
  readonly recordings: readonly string[]
  /** Starts one anew, as if its story began now. */
  readonly start: (name: string) => Inhabitant | undefined
  readonly running: () => readonly Inhabitant[]
}

type Parts = {
  readonly internet: Internet
  readonly newRealm: (name: string) => RealmOptions
  /** Starts a process of the program of the cases; undefined where that was not built. */
  readonly startCases: ((options: RealmOptions) => { readonly realm: Realm; readonly exports: unknown }) | undefined
  /** The folder of the recordings. */
  readonly captures: string
}

const FIRST_PORT = 18_101

export function createInhabitants({ internet, newRealm, startCases, captures }: Parts): Inhabitants {
  const running = new Map<string, Inhabitant & { readonly realm: Realm }>()
  const reports = startCases === undefined ? [] : fieldReports
  const recorded = recordingsIn(captures)
  const names = [...reports.map(({ name }) => name), ...recorded]

  const start: Inhabitants['start'] = name => {
    const number = names.indexOf(name)
    if (number < 0) return undefined
    running.get(name)?.realm.end()
    const port = FIRST_PORT + number
    const report = reports.find(one => one.name === name)
    const options = newRealm(name)
    let said: () => Json
    let realm: Realm
    if (report !== undefined && startCases !== undefined) {
      const started = startCases(options)
      realm = started.realm
      said = startReport(started.exports as CasesProgram, report, port, (ms, what, run) => realm.after(ms, what, run))
    } else ({ realm, said } = startRecorded(join(captures, name), port, internet, options))
    const inhabitant = {
      ...{ name, realm, report },
      address: `127.0.0.1:${port}`,
      startedAt: realm.trueNow(),
      said: () => decodedState(structuredClone(said())),
    }
    running.set(name, inhabitant)
    return inhabitant
  }

  return {
    reports: reports.map(({ name }) => name),
    recordings: recorded,
    start,
    running: () => [...running.values()],
  }
}
