import { expect } from 'vitest'
import { teamEditingModel } from '../../../models/team-editing.model.ts'
import { selectAccount } from '../../../src/machines/account/account/account.selectors.ts'
import { deleteTeamQuestion } from '../../../src/machines/account/account/account.questions.ts'
import { selectTeams } from '../../../src/machines/account/settings/settings.selectors.ts'
import { selectTeamFieldError, selectTeamDraft } from '../../../src/machines/account/teams/teams.selectors.ts'
import { whyNotSaved } from '../../../src/machines/shared/draft/draft.selectors.ts'
import { makeAccount } from '../../new-account.ts'
import { walkInProcess } from './journeys.ts'
import { openSettings } from './settings-of.ts'

walkInProcess('team editing [7.19, 7.20, 7.21, 8.8]', teamEditingModel, async (app, network) => {
  const credentials = await makeAccount(network)
  const { account, settings, untilAccount } = await openSettings(app, credentials)
  const teams = selectTeams(settings.getSnapshot())
  if (teams === undefined) throw new Error('An account has teams, if none of its own.')
  const name = `Folders of ${credentials.email.slice(0, 8)}`
  const draft = () => {
    const ref = selectTeamDraft(teams.getSnapshot())
    if (ref === undefined) throw new Error('No team is drafted.')
    return ref
  }
  const owned = () => selectAccount(account.getSnapshot())?.teams ?? []
  const untilClosed = () => app.until(teams, snapshot => !snapshot.hasTag('open'))
  const expectInvalid = (field: 'name' | 'url'): void => {
    expect([selectTeamFieldError(field)(draft().getSnapshot()), whyNotSaved(draft().getSnapshot())]).toEqual([
      expect.any(String),
      'Some fields are not valid yet.',
    ])
  }
  return {
    does: {
      'begin a team': () => teams.send({ type: 'teams.create' }),
      'type a name that is none': () => draft().send({ type: 'draft.edit', change: { name: '<' } }),
      'type an unsafe address': () =>
        draft().send({ type: 'draft.edit', change: { name, url: 'javascript:alert(1)' } }),
      'type a good team': () => draft().send({ type: 'draft.edit', change: { name, url: 'folders.example' } }),
      save: async () => {
        draft().send({ type: 'draft.save' })
        await untilClosed()
      },
      cancel: () => teams.send({ type: 'teams.cancel' }),
      'edit its name': async () => {
        const [team] = owned()
        if (team === undefined) throw new Error('There is no team to edit.')
        teams.send({ type: 'teams.edit', team })
        draft().send({ type: 'draft.edit', change: { name: `${name} II` } })
        draft().send({ type: 'draft.save' })
        await untilClosed()
      },
      'delete it': () =>
        app.system().dialogs.send({ type: 'dialogs.ask', dialog: deleteTeamQuestion(owned()[0]?.team ?? 0) }),
      'keep it': () => app.answer('cancel'),
      confirm: () => app.answer('delete'),
    },
    sees: {
      none: () => expect(owned()).toEqual([]),
      empty: () => expect(whyNotSaved(draft().getSnapshot())).toBe('No changes to save.'),
      badName: () => expectInvalid('name'),
      badAddress: () => expectInvalid('url'),
      good: () => expect(whyNotSaved(draft().getSnapshot())).toBeUndefined(),
      corrected: () => expect(whyNotSaved(draft().getSnapshot())).toBeUndefined(),
      canceled: () => expect(owned()).toEqual([]),
      listed: async () => {
        await untilAccount(({ teams: list = [] }) => list.length === 1)
        expect(owned()).toMatchObject([{ name, url: 'https://folders.example', wus: 0, score: 0 }])
      },
      renamed: () => untilAccount(({ teams: list = [] }) => list[0]?.name === `${name} II`),
      asked: async () => expect(await app.shownDialog()).toMatchObject({ title: `Delete Team ${owned()[0]?.team}?` }),
      kept: () => expect(owned()).toHaveLength(1),
      deleted: () => untilAccount(({ teams: list = [] }) => list.length === 0),
    },
  }
})
