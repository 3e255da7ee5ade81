import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { vi } from 'vitest'
import type { ClientData, Unit } from '../../src/protocol/client/client-data.ts'
import { decodeClientMessage } from '../../src/protocol/client/client-message.ts'
import type { ClientView } from '../../src/folding/client/client.ts'

/** Fake clients of public reports, see docs/field-reports.md. */
const shared = join(import.meta.dirname, '../../../shared/cases')
export const areCasesHere = existsSync(join(shared, 'more'))

type Exports = Readonly<Record<string, unknown>>

/** The modules of the cases, by name, with `now` as the time of their clients. They need `ws` only to be served. */
export function loadCases(names: readonly string[], now: number): (name: string) => Exports {
  const folder = mkdtempSync(join(tmpdir(), 'foldboard-cases-'))
  try {
    cpSync(shared, join(folder, 'cases'), { recursive: true })
    mkdirSync(join(folder, 'rig'))
    writeFileSync(join(folder, 'rig/package.json'), '{}')
    symlinkSync(join(import.meta.dirname, '../../node_modules'), join(folder, 'rig/node_modules'))
    vi.useFakeTimers({ now, toFake: ['Date'] })
    const modules = new Map<string, Exports>()
    for (const name of names) {
      const file = name === 'states' ? join(folder, 'cases/states.mjs') : join(folder, `cases/more/${name}.mjs`)
      // Not by `import`, which Vite would look up in the project, where there is a DOM.
      modules.set(name, createRequire(import.meta.url)(file) as Exports)
    }
    return name => modules.get(name) ?? {}
  } finally {
    vi.useRealTimers()
    rmSync(folder, { recursive: true })
  }
}

/** The client as a page that received its first message holds it. */
export function receivedData(state: unknown): ClientData {
  for (const fact of decodeClientMessage(JSON.stringify(state))) if (fact.type === 'snapshot.received') return fact.data
  throw new Error('The case is no client.')
}

/** Rows of its history, as a page that asked for it holds them. */
export function receivedHistory(rows: unknown): readonly Unit[] {
  for (const fact of decodeClientMessage(JSON.stringify(['wus', rows])))
    if (fact.type === 'history.received') return fact.units
  throw new Error('The case has no history.')
}

export function viewOf(data: ClientData): ClientView {
  return { id: '__direct__', isDirect: true, address: '127.0.0.1:18101', isConnected: true, data }
}
