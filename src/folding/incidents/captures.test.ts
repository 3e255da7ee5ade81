import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { applyChanges } from '../../protocol/client/changes.ts'
import type { ClientData } from '../../protocol/client/client-data.ts'
import { decodeClientMessage } from '../../protocol/client/client-message.ts'
import { evaluate } from './evaluate.ts'
import { emptyMemory } from './client-memory.ts'

const CAPTURES = '../shared/captures'
// The recordings begin then; they tell only milliseconds since.
const BEGAN = Date.parse('2026-11-20T13:30:00Z')

type Line = { readonly ms: number; readonly dir: string; readonly type: string; readonly raw?: string }

/** Kinds and reasons that are found at any moment of a recorded session of a real client. */
function foundIn(file: string): readonly string[] {
  const lines = readFileSync(`${CAPTURES}/${file}.jsonl`, 'utf8')
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line) as Line)
  const found = new Set<string>()
  let data: ClientData | undefined
  let memory = emptyMemory(BEGAN)
  for (const { ms, dir, type, raw } of lines) {
    if (dir !== 'in' || type !== 'text' || raw === undefined) continue
    for (const fact of decodeClientMessage(raw)) {
      if (fact.type === 'snapshot.received') ({ data } = fact)
      if (fact.type === 'changes.received' && data !== undefined) data = applyChanges(data, fact.changes)
    }
    const evaluation = evaluate(
      {
        machine: 'm',
        view: { id: 'm', isDirect: true, isConnected: true, data },
        memory,
        now: BEGAN + ms,
        connectedAt: BEGAN,
        lostAt: undefined,
        watchedSince: BEGAN,
        isNetworkUp: true,
        latestVersion: '8.5.7',
        account: undefined,
        earlierTpfs: () => [],
      },
      // The clock of the recorder is not known.
      { thresholds: {}, disabled: ['clock'] },
    )
    ;({ memory } = evaluation)
    for (const { kind, evidence } of evaluation.present) found.add([kind, evidence.reason].join(' ').trim())
  }
  return [...found].sort()
}

describe.skipIf(!existsSync(CAPTURES))('recorded clients (skipped when ../shared/captures is absent)', () => {
  it.each(['direct-busy', 'direct-connect-idle', 'direct-finish', 'direct-state', 'direct-log'])(
    '%s: nothing needs a person',
    file => {
      expect(foundIn(file)).toEqual([])
    },
  )

  it('direct-config: the impossible values that were stored on purpose are found', () => {
    expect(foundIn('direct-config').filter(one => !one.startsWith('nonsense'))).toEqual([])
  })
})
