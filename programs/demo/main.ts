import './arrival.ts'
import { system } from '../../src/app/main.tsx'
import { selectDemo } from '../../src/machines/app/app.selectors.ts'
import { showBar } from './bar.ts'

/* The demo: the dashboard with a network in the page. See README.md beside this. */

/** Who has left the account of the demo stays out. */
const ENTERED = 'foldboard-demo-entered'

const demo = selectDemo(system.app.getSnapshot())
if (isSecureContext && demo !== undefined && localStorage.getItem(ENTERED) === null) {
  localStorage.setItem(ENTERED, 'yes')
  system.signIn.send({ type: 'signIn.open' })
  system.signIn.send({
    type: 'signIn.submit',
    email: demo.email,
    user: '',
    team: '',
    secrets: { passphrase: demo.secrets.passphrase, passphraseAgain: '', passkey: '' },
  })
}
showBar(document)
