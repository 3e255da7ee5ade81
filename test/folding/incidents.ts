import type { ClientData, Unit } from '../../src/protocol/client/client-data.ts'
import type { Comparison } from '../../src/folding/client/identity.ts'
import type { Excess } from '../../src/folding/client/client-excess.ts'
import type { ClientView } from '../../src/folding/client/client.ts'
import { formatIso } from '../../src/folding/text/times.ts'
import { evaluate, RECONNECTING, type Evaluation } from '../../src/folding/incidents/evaluate.ts'
import { kindEntry, type IncidentSettings } from '../../src/folding/incidents/incident-kinds.ts'
import type { Condition, IncidentKind } from '../../src/folding/incidents/incident.ts'
import { emptyMemory, type ClientMemory } from '../../src/folding/incidents/client-memory.ts'
import type { ClientMoment } from '../../src/folding/incidents/rules.ts'

export const START = Date.parse('2026-11-20T12:00:00Z')

export const MINUTE = 60_000

export const HOUR = 60 * MINUTE

export const GPU = 'gpu:01:00:00'

export const rtx = { supported: true, description: 'RTX 4090', cuda: { platform: 0 } }

export const usual: IncidentSettings = { thresholds: {}, disabled: [] }

export const folding = { paused: false, finish: false, cpus: 4 }

export function dataOf(part: Partial<ClientData> = {}): ClientData {
  return {
    info: { id: 'm', version: '8.5.7', cpus: 8, gpus: { [GPU]: rtx } },
    config: {},
    groups: { '': { config: folding } },
    units: [],
    ...part,
  }
}

/** A running unit; fields that are undefined in `part` are missing. */
export function running(part: Readonly<Record<string, unknown>> = {}): Unit {
  const unit: Readonly<Record<string, unknown>> = {
    id: 'unit-1',
    number: 1,
    group: '',
    state: 'RUN',
    cpus: 4,
    gpus: [],
    wu_progress: 0.2,
    run_time: 0,
    start_time: formatIso(START),
    assignment: { project: 18_420, time: formatIso(START) },
    ...part,
  }
  return Object.fromEntries(Object.entries(unit).filter(([, value]) => value !== undefined))
}

export type Step = Partial<Omit<ClientMoment, 'view' | 'memory' | 'now'>> & {
  readonly data?: ClientData
  readonly isConnected?: boolean
  readonly isDirect?: boolean
  readonly comparison?: Comparison
  readonly isPutAway?: boolean
  readonly excess?: Excess
  readonly settings?: IncidentSettings
}

/** A client over time: each step is evaluated with what was remembered of the steps before. */
export function watch(first: ClientMemory = emptyMemory(START)) {
  let memory = first
  let now = START
  const at = (after: number, step: Step): Evaluation => {
    now = START + after
    const { data, isConnected = true, isDirect = false, comparison, isPutAway = false, excess, ...others } = step
    const { settings = usual, ...rest } = others
    const view: ClientView = {
      id: 'm',
      isDirect,
      isConnected,
      data,
      comparison,
      isPutAway,
      excess,
      lastConnected: START,
    }
    const evaluation = evaluate(
      {
        machine: 'm',
        connectedAt: START,
        lostAt: undefined,
        watchedSince: START - RECONNECTING,
        isNetworkUp: true,
        latestVersion: undefined,
        account: undefined,
        earlierTpfs: () => [],
        ...rest,
        view,
        memory,
        now,
      },
      settings,
    )
    ;({ memory } = evaluation)
    return evaluation
  }
  return {
    at,
    /** The same step every 30 s from one time to another, as long evaluations are apart. */
    until: (from: number, to: number, step: (after: number) => Step): Evaluation => {
      let last = at(from, step(from))
      for (let after = from + 30_000; after <= to; after += 30_000) last = at(after, step(after))
      return last
    },
    memory: () => memory,
  }
}

export function kindsOf({ present }: Evaluation): readonly IncidentKind[] {
  return present.map(({ kind }) => kind)
}

export function group(part: Readonly<Record<string, unknown>>) {
  return dataOf({ groups: { '': { config: folding, ...part } } })
}

export function config(part: Readonly<Record<string, unknown>>) {
  return dataOf({ groups: { '': { config: { ...folding, ...part } } } })
}

export function late(limit: 'deadline' | 'timeout', seconds: number, eta = '2h 0m') {
  return dataOf({ units: [running({ eta, assignment: { project: 1, time: formatIso(START), [limit]: seconds } })] })
}

export function incidentText(condition: Condition, now: number): string {
  return kindEntry(condition.kind).cause(condition, now)
}
