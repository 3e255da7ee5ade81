import { describe, expect, it } from 'vitest'
import { fromPromise } from 'xstate'
import { settled, startChild } from '../../../../test/child.ts'
import type { ApiResult } from '../../../protocol/api-fault.ts'
import { resourceMachine } from '../../resource/resource/resource.machine.ts'
import { teamMachine } from './team.machine.ts'
import { selectTeam, selectTeamAddress, selectTeamLogo, selectTeamName } from './team.selectors.ts'

const folders = { id: 7, name: 'Folders', url: 'folders.example', logo: 'data:image/webp;base64,AAAA' }
const down: ApiResult<unknown> = { ok: false, fault: { kind: 'unreachable', message: 'gone' } }

const startTeam = (...answers: ApiResult<unknown>[]) => {
  const asked: string[] = []
  const teamSource = resourceMachine.provide({
    actors: {
      fetchResource: fromPromise<ApiResult<unknown>, { readonly key: string }>(({ input }) => {
        asked.push(input.key)
        return Promise.resolve(answers.shift() ?? down)
      }),
    },
  })
  const { actor, clock } = startChild(teamMachine.provide({ actors: { teamSource } }))
  const shown = () => [selectTeam, selectTeamName, selectTeamLogo, selectTeamAddress].map(select => select(actor.getSnapshot()))
  return { actor, clock, asked, shown }
}

describe('the active team', () => {
  it('is none until one is chosen', async () => {
    const { actor, asked } = startTeam()
    actor.send({ type: 'team.choose', team: 0 })
    await settled()
    expect(asked).toEqual([])
  })

  it('has its name, its logo and an address that may be opened', async () => {
    const { actor, shown } = startTeam({ ok: true, value: folders })
    actor.send({ type: 'team.choose', team: 7 })
    expect(shown()).toEqual([7, 'Team 7', undefined, undefined])
    await settled()
    expect(shown()).toEqual([7, 'Folders', 'data:image/webp;base64,AAAA', 'https://folders.example/'])
  })

  it('shows its number alone when its statistics cannot be had', async () => {
    const { actor, shown } = startTeam(down)
    actor.send({ type: 'team.choose', team: 7 })
    await settled()
    expect(shown()).toEqual([7, 'Team 7', undefined, undefined])
  })

  it('never shows one team as another, and follows to none', async () => {
    const { actor, asked, shown } = startTeam({ ok: true, value: folders }, { ok: true, value: { ...folders, name: 'Others', url: 'javascript:alert(1)' } })
    actor.send({ type: 'team.choose', team: 7 })
    actor.send({ type: 'team.choose', team: 8 })
    await settled()
    expect([asked, shown()]).toEqual([['team:7', 'team:8'], [8, 'Others', 'data:image/webp;base64,AAAA', undefined]])
    actor.send({ type: 'team.choose', team: 0 })
    expect(shown()).toEqual([0, 'Team 0', undefined, undefined])
  })

  it('is asked for once in an hour, and again in the next', async () => {
    const { actor, clock, asked } = startTeam({ ok: true, value: folders }, { ok: true, value: folders })
    actor.send({ type: 'team.choose', team: 7 })
    await settled()
    actor.send({ type: 'team.choose', team: 7 })
    await settled()
    expect(asked).toEqual(['team:7'])
    clock.increment(61 * 60 * 1000)
    await settled()
    expect(asked).toEqual(['team:7', 'team:7'])
  })
})
