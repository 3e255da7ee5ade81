import type { HeadlessApp } from './headless-app.ts'
import type { Credentials } from './new-account.ts'

/** Signs in by the login dialog of a page without screens. */
export async function logIn(app: HeadlessApp, { email, passphrase }: Credentials): Promise<void> {
  const { signIn } = app.system()
  if (!signIn.getSnapshot().hasTag('open')) signIn.send({ type: 'signIn.open', mode: 'login' })
  signIn.send({
    type: 'signIn.submit',
    email,
    user: 'Ada',
    team: '',
    secrets: { passphrase, passphraseAgain: passphrase, passkey: '' },
  })
  await app.until(signIn, snapshot => !snapshot.hasTag('busy'))
}
