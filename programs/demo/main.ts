import { tour } from './arrival.ts'
import { router, system } from '../../src/app/main.tsx'
import { selectId, selectUnits } from '../../src/machines/connection/client/client.selectors.ts'
import { pathPart } from '../../src/protocol/url.ts'
import { showBar } from './bar.ts'

/* The demo: the dashboard with a network in the page. See README.md beside this. */

/** Who has left the account of the demo stays out. */
const ENTERED = 'foldboard-demo-entered'
const LOOK_INTERVAL = 250

function enter(): void {
  const demo = system.app.getSnapshot().context.input.demo
  if (demo === undefined || localStorage.getItem(ENTERED) !== null) return
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

/** Goes on when the page shows a unit that has folded, with that of the first machine which has folded most. */
function whenFolding(next: (machine: string, unit: string) => void): void {
  const timer = setInterval(() => {
    for (const { ref } of Object.values(system.fleet.getSnapshot().context.members)) {
      const client = ref.getSnapshot()
      const [unit] = selectUnits(client).toSorted((a, b) => (b.frames ?? 0) - (a.frames ?? 0))
      if (unit?.id === undefined || unit.frames === undefined) continue
      clearInterval(timer)
      next(selectId(client), unit.id)
      return
    }
  }, LOOK_INTERVAL)
}

if (isSecureContext)
  whenFolding((machine, unit) => {
    if (tour.hasMolecule === true) void router.navigate(`/${pathPart(machine)}/view/${pathPart(unit)}`)
    else if (tour.isAlone !== true) enter()
  })
showBar(document)
