import { expect } from 'vitest'
import { signInModel } from '../../../models/sign-in.model.ts'
import { selectAccount } from '../../../src/machines/account/account/account.selectors.ts'
import { selectRelayCondition } from '../../../src/machines/connection/relay/relay.selectors.ts'
import { makeAccount } from '../../new-account.ts'
import { dialogOf, MISSING, WRONG } from './dialog-of.ts'
import { walkInProcess } from './journeys.ts'

walkInProcess('logging in and out [7.9, 7.12, 7.15]', signInModel, async (app, network) => {
  const credentials = await makeAccount(network)
  const dialog = dialogOf(app)
  const account = () => app.system().account
  const expectSignedIn = async (): Promise<void> => {
    await dialog.expectSignedIn()
    expect(selectAccount(account().getSnapshot())?.user).toBe('Ada')
    await app.until(app.system().relay, snapshot => selectRelayCondition(snapshot) === 'connected')
  }
  const expectSignedOut = async (): Promise<void> => {
    await app.until(account(), snapshot => snapshot.matches('signedOut'))
    expect(account().getSnapshot().context.signedIn).toBeUndefined()
    expect(app.device.locked()).toEqual([])
    expect(app.device.readable()).not.toMatch(/foldboard\.(?:session|secret|provider)/)
    expect(selectRelayCondition(app.system().relay.getSnapshot())).toBe('inactive')
  }
  return {
    does: {
      'open the dialog': () => dialog.open(),
      'submit nothing': () => dialog.submitNothing(),
      'submit a wrong passphrase': () => dialog.submit({ ...credentials, passphrase: 'not the passphrase' }),
      'submit the right passphrase': () => dialog.submit(credentials),
      cancel: () => dialog.cancel(),
      reload: () => app.reload(),
      'log out': () => account().send({ type: 'account.signOut' }),
    },
    sees: {
      loggedOut: async () => {
        await expectSignedOut()
        dialog.expectOpen(false)
      },
      asked: () => dialog.expectErrors({}),
      complained: () => dialog.expectErrors(MISSING),
      refused: () => dialog.expectFailure(WRONG),
      corrected: expectSignedIn,
      loggedIn: expectSignedIn,
      remembered: expectSignedIn,
      closed: () => {
        dialog.expectOpen(false)
        expect(account().getSnapshot().hasTag('signedIn')).toBe(false)
      },
      left: expectSignedOut,
    },
  }
})
