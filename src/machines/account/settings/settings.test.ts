import { describe, expect, it } from 'vitest'
import { fromPromise } from 'xstate'
import { settled, startChild } from '../../../../test/child.ts'
import { accountForm, type AccountForm } from '../../../folding/account/account-form.ts'
import type { ApiResult } from '../../../protocol/api/api-fault.ts'
import type { DraftSaving } from '../../shared/draft/draft.reducer.ts'
import { isModified, selectDraft } from '../../shared/draft/draft.selectors.ts'
import type { PictureResult } from '../../shared/picture/picture.events.ts'
import { pictureMachine } from '../../shared/picture/picture.machine.ts'
import { teamsMachine } from '../teams/teams.machine.ts'
import { accountDraftMachine, settingsMachine } from './settings.machine.ts'
import { selectAccountDraft, selectAvatar, selectTeams } from './settings.selectors.ts'

const value = accountForm({ user: 'Ada', node: 'node1.test', config: { dark: true } }, '')
const down: ApiResult<unknown> = { ok: false, fault: { kind: 'unreachable', message: 'no answer in time' } }

function startSettings(answer: ApiResult<unknown> = { ok: true, value: {} }) {
  const { actor, received } = startChild(
    settingsMachine.provide({
      actors: {
        accountDraft: accountDraftMachine.provide({
          actors: {
            saveDraft: fromPromise<ApiResult<unknown>, DraftSaving<AccountForm>>(() => Promise.resolve(answer)),
          },
        }),
        avatar: pictureMachine.provide({
          actors: {
            scalePicture: fromPromise<PictureResult, { readonly file: Blob }>(() =>
              Promise.resolve({ ok: true, data: 'data:x' }),
            ),
          },
        }),
        teams: teamsMachine.provide({
          actors: {
            deleteTeam: fromPromise<ApiResult<unknown>, { readonly team: number }>(() => Promise.resolve(answer)),
          },
        }),
      },
    }),
    { value },
  )
  const draft = selectAccountDraft(actor.getSnapshot())
  if (draft === undefined) throw new Error('The settings have no draft.')
  return {
    actor,
    received,
    draft,
    drafted: () => selectDraft(draft.getSnapshot()),
    snapshot: () => actor.getSnapshot(),
  }
}

describe('the settings of an account', () => {
  it('begin with the account, and follow it where nothing was typed', () => {
    const { actor, draft, drafted } = startSettings()
    expect(drafted()).toEqual(value)
    expect(isModified(draft.getSnapshot())).toBe(false)
    draft.send({ type: 'draft.edit', change: { team: '7' } })
    actor.send({ type: 'settings.loaded', value: { ...value, user: 'Grace' } })
    expect(drafted()).toEqual({ ...value, user: 'Grace', team: '7' })
  })

  it('preview the appearance at once, until it is discarded', () => {
    const { received, draft } = startSettings()
    draft.send({ type: 'draft.edit', change: { config: { dark: false } } })
    draft.send({ type: 'draft.edit', change: { user: 'Grace' } })
    draft.send({ type: 'draft.discard' })
    expect(received).toEqual([
      { type: 'settings.previewed', config: { dark: false } },
      { type: 'settings.previewed', config: undefined },
    ])
  })

  it('tell what was saved, with what it was before', async () => {
    const { received, draft } = startSettings()
    draft.send({ type: 'draft.edit', change: { user: 'Grace' } })
    draft.send({ type: 'draft.save' })
    await settled()
    expect(received).toContainEqual({ type: 'settings.saved', before: value, value: { ...value, user: 'Grace' } })
  })

  it('tell why something was not saved or deleted', async () => {
    const { received, draft, snapshot } = startSettings(down)
    draft.send({ type: 'draft.edit', change: { user: 'Grace' } })
    draft.send({ type: 'draft.save' })
    selectTeams(snapshot())?.send({ type: 'teams.delete', team: 7 })
    await settled()
    expect(received.filter(({ type }) => type === 'settings.failed')).toEqual([
      { type: 'settings.failed', failure: 'save', fault: { kind: 'unreachable', message: 'no answer in time' } },
      {
        type: 'settings.failed',
        failure: 'team deletion',
        fault: { kind: 'unreachable', message: 'no answer in time' },
      },
    ])
  })

  it('say that the account is outdated when a team was deleted', async () => {
    const { received, snapshot } = startSettings()
    selectTeams(snapshot())?.send({ type: 'teams.delete', team: 7 })
    await settled()
    expect(received).toEqual([{ type: 'settings.outdated' }])
  })

  it('take a picture for an avatar', async () => {
    const { drafted, snapshot } = startSettings()
    selectAvatar(snapshot())?.send({ type: 'picture.choose', file: new Blob(['x']) })
    await settled()
    expect(drafted()?.avatar).toBe('data:x')
  })
})
