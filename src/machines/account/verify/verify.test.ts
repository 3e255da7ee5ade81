import { describe, expect, it } from 'vitest'
import { fromPromise } from 'xstate'
import { settled, startChild } from '../../../../test/child.ts'
import { walkShortestPaths } from '../../../../test/paths.ts'
import type { ApiResult } from '../../../protocol/api/api-fault.ts'
import { verifyMachine } from './verify.machine.ts'
import { selectVerifyOutcome } from './verify.selectors.ts'

const good: ApiResult<unknown> = { ok: true, value: {} }
const used: ApiResult<unknown> = { ok: false, fault: { kind: 'refused', status: 404, message: 'Unknown token' } }
const down: ApiResult<unknown> = { ok: false, fault: { kind: 'unreachable', message: 'no answer in time' } }
const begin = { type: 'verify.begin', secrets: { token: 'abc' } } as const

function startVerify(...answers: (ApiResult<unknown> | Error)[]) {
  const asked: string[] = []
  const { actor } = startChild(
    verifyMachine.provide({
      actors: {
        verifyEmail: fromPromise<ApiResult<unknown>, { readonly secrets: { readonly token: string } }>(({ input }) => {
          asked.push(input.secrets.token)
          const answer = answers.shift() ?? down
          return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer)
        }),
      },
    }),
  )
  return { actor, asked, outcome: () => selectVerifyOutcome(actor.getSnapshot()) }
}

describe('the verify page', () => {
  it.each([
    [good, 'verified'],
    [used, 'refused'],
    [down, 'unreachable'],
    [new Error('crash'), 'unreachable'],
  ] as const)('asks once for a token, and says what came of it (%o)', async (answer, expected) => {
    const { actor, asked, outcome } = startVerify(answer)
    actor.send(begin)
    actor.send(begin)
    expect(outcome()).toBe('pending')
    await settled()
    expect({ outcome: outcome(), asked }).toEqual({ outcome: expected, asked: ['abc'] })
  })

  it('can be tried again', async () => {
    const { actor, outcome } = startVerify(down, good)
    actor.send(begin)
    await settled()
    actor.send(begin)
    await settled()
    expect(outcome()).toBe('verified')
  })

  it('reaches all its states', () => {
    const id = '0.verify.verifying'
    const { unreached } = walkShortestPaths(verifyMachine, {
      events: [begin, ...[good, used].map(output => ({ type: `xstate.done.actor.${id}`, actorId: id, output }))],
      context: ({ fault }) => fault?.kind,
    })
    expect(unreached).toEqual([])
  })
})
