import { expect } from 'vitest'
import { resetModel } from '../../../models/reset.model.ts'
import { selectResetErrors, selectResetFailure } from '../../../src/machines/account/reset/reset.selectors.ts'
import { linkFor, makeAccount, tokenOf } from '../../new-account.ts'
import { dialogOf, WRONG } from './dialog-of.ts'
import { walkInProcess } from './journeys.ts'

walkInProcess('reset [7.7, 7.8, 8.4]', resetModel, async (app, network) => {
  const old = await makeAccount(network)
  const dialog = dialogOf(app)
  let token = ''
  let passphrase = ''
  const page = () => app.system().reset
  const submit = async (first: string, second: string): Promise<void> => {
    page().send({
      type: 'reset.submit',
      email: old.email,
      secrets: { token, passphrase: first, passphraseAgain: second },
    })
    await app.until(page(), snapshot => !snapshot.hasTag('busy'))
  }
  const generate = (): Promise<string> =>
    new Promise(resolve => {
      const listening = page().on('passphrase.generated', ({ secrets }) => {
        listening.unsubscribe()
        resolve(secrets.passphrase)
      })
      page().send({ type: 'reset.generate' })
    })
  const submitGenerated = async (): Promise<void> => {
    passphrase = await generate()
    await submit(passphrase, passphrase)
  }
  return {
    does: {
      'ask for a reset': async () => {
        await dialog.open('reset')
        await dialog.submit({ email: old.email, passphrase: '' })
      },
      'follow the link': async () => {
        const link = await linkFor(network, old.email)
        token = tokenOf(link)
        expect(new URL(link).searchParams.get('email')).toBe(old.email)
        page().send({ type: 'reset.open' })
      },
      'submit two different passphrases': () => submit('one passphrase it is', 'another passphrase it is'),
      'submit a generated passphrase': submitGenerated,
      'log in with the old passphrase': () => dialog.logIn(old),
      'log in with the new passphrase': () => dialog.logIn({ ...old, passphrase }),
      'use the link again': async () => {
        page().send({ type: 'reset.open' })
        await submitGenerated()
      },
    },
    sees: {
      forgotten: () => dialog.expectOpen(false),
      asked: async () => {
        expect(await app.shownDialog()).toMatchObject({ messages: [{ title: 'Account reset requested' }] })
        app.answer('ok')
      },
      page: () => expect(selectResetErrors(page().getSnapshot())).toEqual({}),
      complained: () =>
        expect(selectResetErrors(page().getSnapshot())).toEqual({ passphraseAgain: 'Passphrases do not match' }),
      done: () => expect(page().getSnapshot().hasTag('done')).toBe(true),
      corrected: () => expect(page().getSnapshot().hasTag('done')).toBe(true),
      refused: () => dialog.expectFailure(WRONG),
      linkUsed: () => expect(selectResetFailure(page().getSnapshot())).toMatch(/already used/),
      loggedIn: () => dialog.expectSignedIn(),
    },
  }
})
