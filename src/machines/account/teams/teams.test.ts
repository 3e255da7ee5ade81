import { describe, expect, it } from 'vitest'
import { fromPromise } from 'xstate'
import { settled, startChild } from '../../../../test/child.ts'
import { walkShortestPaths } from '../../../../test/paths.ts'
import type { TeamForm } from '../../../folding/account/team-form.ts'
import type { ApiResult } from '../../../protocol/api/api-fault.ts'
import type { DraftSaving } from '../../shared/draft/draft.reducer.ts'
import { isModified, selectDraft } from '../../shared/draft/draft.selectors.ts'
import type { PictureResult } from '../../shared/picture/picture.events.ts'
import { pictureMachine } from '../../shared/picture/picture.machine.ts'
import { teamDraftMachine, teamsMachine } from './teams.machine.ts'
import { selectLogo, selectTeamDraft } from './teams.selectors.ts'

const logo = 'data:image/webp;base64,AAAA'
const team = { team: 7, name: 'Folders', url: 'https://folders.example', wus: 0 }
const good: ApiResult<unknown> = { ok: true, value: {} }
const refused: ApiResult<unknown> = { ok: false, fault: { kind: 'refused', status: 409, message: 'The name is taken' } }

function settle<T>(answer: T | Error): Promise<T> {
  return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer)
}

function startTeams(answer: ApiResult<unknown> | Error = good) {
  const saved: TeamForm[] = []
  const deleted: number[] = []
  const { actor, received } = startChild(
    teamsMachine.provide({
      actors: {
        teamDraft: teamDraftMachine.provide({
          actors: {
            saveDraft: fromPromise<ApiResult<unknown>, DraftSaving<TeamForm>>(({ input }) => {
              saved.push(input.value)
              return settle(answer)
            }),
          },
        }),
        logo: pictureMachine.provide({
          actors: {
            scalePicture: fromPromise<PictureResult, { readonly file: Blob }>(() =>
              Promise.resolve({ ok: true, data: logo }),
            ),
          },
        }),
        deleteTeam: fromPromise<ApiResult<unknown>, { readonly team: number }>(({ input }) => {
          deleted.push(input.team)
          return settle(answer)
        }),
      },
    }),
  )
  const draft = () => {
    const ref = selectTeamDraft(actor.getSnapshot())
    if (ref === undefined) throw new Error('No team is drafted.')
    return ref
  }
  return { actor, received, saved, deleted, draft, snapshot: () => actor.getSnapshot() }
}

describe('the teams of an account', () => {
  it('grow by one that was made, and that closes the dialog [2.62, 2.63]', async () => {
    const { actor, received, saved, draft, snapshot } = startTeams()
    actor.send({ type: 'teams.create' })
    expect(draft().getSnapshot().can({ type: 'draft.save' })).toBe(false)
    draft().send({ type: 'draft.edit', change: { name: 'Folders', url: 'folders.example' } })
    draft().send({ type: 'draft.save' })
    await settled()
    expect(saved).toEqual([{ team: undefined, name: 'Folders', url: 'folders.example', logo: '' }])
    expect(snapshot().hasTag('open')).toBe(false)
    expect(received).toEqual([{ type: 'teams.changed' }])
  })

  it('are edited from what they are, and can be saved only when that changed [2.63, 5.17]', () => {
    const { actor, draft, snapshot } = startTeams()
    actor.send({ type: 'teams.edit', team })
    expect(snapshot().context.edited).toEqual(team)
    expect(selectDraft(draft().getSnapshot())).toEqual({
      team: 7,
      name: 'Folders',
      url: 'https://folders.example',
      logo: '',
    })
    expect(isModified(draft().getSnapshot())).toBe(false)
    draft().send({ type: 'draft.edit', change: { url: 'javascript:alert(1)' } })
    expect(draft().getSnapshot().can({ type: 'draft.save' })).toBe(false)
  })

  it('get a logo from a file', async () => {
    const { actor, draft, snapshot } = startTeams()
    actor.send({ type: 'teams.edit', team })
    selectLogo(snapshot())?.send({ type: 'picture.choose', file: new Blob(['x']) })
    await settled()
    expect(selectDraft(draft().getSnapshot())?.logo).toBe(logo)
  })

  it('keep the dialog and all that was typed when saving fails', async () => {
    const { actor, received, draft, snapshot } = startTeams(refused)
    actor.send({ type: 'teams.create' })
    draft().send({ type: 'draft.edit', change: { name: 'Folders' } })
    draft().send({ type: 'draft.save' })
    await settled()
    expect(snapshot().hasTag('open')).toBe(true)
    expect(selectDraft(draft().getSnapshot())?.name).toBe('Folders')
    expect(received).toEqual([
      { type: 'teams.failed', failure: 'team', fault: { kind: 'refused', status: 409, message: 'The name is taken' } },
    ])
  })

  it('are forgotten as they were typed when the dialog is canceled', () => {
    const { actor, received, saved, draft, snapshot } = startTeams()
    actor.send({ type: 'teams.create' })
    draft().send({ type: 'draft.edit', change: { name: 'Folders' } })
    actor.send({ type: 'teams.cancel' })
    actor.send({ type: 'teams.create' })
    expect(selectDraft(draft().getSnapshot())?.name).toBe('')
    expect({ open: snapshot().hasTag('open'), received, saved }).toEqual({ open: true, received: [], saved: [] })
  })

  it('receive the answer when a draft asks whether it may be left', () => {
    const { actor, draft } = startTeams()
    actor.send({ type: 'teams.create' })
    const { systemId } = draft().getSnapshot().context
    expect(actor.system.get(systemId)).toBe(draft())
  })

  it.each([
    [good, { type: 'teams.changed' }],
    [
      refused,
      {
        type: 'teams.failed',
        failure: 'team deletion',
        fault: { kind: 'refused', status: 409, message: 'The name is taken' },
      },
    ],
  ] as const)('are deleted one by one, or it is said why not (%o)', async (answer, notification) => {
    const { actor, received, deleted, snapshot } = startTeams(answer)
    actor.send({ type: 'teams.delete', team: 7 })
    expect(snapshot().hasTag('busy')).toBe(true)
    await settled()
    expect(deleted).toEqual([7])
    expect(received).toEqual([notification])
    expect(snapshot().hasTag('busy')).toBe(false)
  })

  it('can be deleted again after a deletion that crashed', async () => {
    const { actor, deleted, snapshot } = startTeams(new Error('crash'))
    for (let attempt = 0; attempt < 2; attempt++) {
      actor.send({ type: 'teams.delete', team: 7 })
      await settled()
    }
    expect({ deleted, busy: snapshot().hasTag('busy') }).toEqual({ deleted: [7, 7], busy: false })
  })

  it('reach all their states', () => {
    const id = '0.teams.deleting'
    const { unreached } = walkShortestPaths(teamsMachine, {
      events: [
        { type: 'teams.create' },
        { type: 'teams.cancel' },
        { type: 'teams.delete', team: 7 },
        { type: 'draft.saved', id: 'team', before: team, value: team },
        ...[good, refused].map(output => ({ type: `xstate.done.actor.${id}`, actorId: id, output })),
      ],
      silence: ['notifyChanged', 'notifyFailed', 'notifyDeletionFailed', 'editLogo'],
    })
    expect(unreached).toEqual([])
  })
})
