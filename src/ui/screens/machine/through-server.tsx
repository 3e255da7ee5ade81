import { t } from '@lingui/core/macro'
import { useSelector } from '../../hooks/use-selector.ts'
import { directNumber } from '../../../folding/client/client.ts'
import { selectId } from '../../../machines/connection/client/client.selectors.ts'
import { selectSchedules } from '../../../machines/server/session/session.selectors.ts'
import { useServer } from '../../hooks/server-context.ts'
import { useClientSelector } from '../../hooks/client-context.ts'
import styles from './details-screen.module.css'
import { formatList } from '../../../folding/text/format.ts'

const commandNames: Readonly<Record<string, string>> = {
  state: t`fold, pause and finish`,
  config: t`settings`,
  dump: t`dump units`,
  link: t`link to an account`,
  restart: t`restart`,
}

/** How the server reaches the client: an address, or the relay of an account. */
function wayText(address: string | undefined): string | undefined {
  return address?.startsWith('account:') === true ? t`The relay of the server’s account` : address
}

/** Which server this page is with, how that reaches the client, and what it may be sent. */
export function ThroughServer() {
  const { session } = useServer()
  const sessionData = useSelector(session, ({ context }) => context.session)
  const number = useClientSelector(snapshot => directNumber(selectId(snapshot)))
  const address = useSelector(
    session,
    snapshot => selectSchedules(snapshot)?.machines.find(client => client.number === number)?.address,
  )
  if (sessionData === undefined || number === undefined) return null
  const { server, machines: clients } = sessionData
  const commands = clients.find(client => client.number === number)?.commands ?? []
  const way = wayText(address)
  const facts = [
    { label: t`Server`, text: t`${server.name}, Foldboard server ${server.version}` },
    ...(way === undefined ? [] : [{ label: t`From there`, text: way }]),
    {
      label: t`Commands allowed`,
      text:
        commands.length === 0
          ? t`None: the server only observes this machine`
          : formatList(commands.map(command => commandNames[command] ?? command)),
    },
  ]
  return (
    <section className="grid content-start gap-2 shrink prose" aria-label={t`Connection through the server`}>
      <h2 className="type-5 strong">{t`Connection through the server`}</h2>
      <dl className="line-below">
        {facts.map(({ label, text }) => (
          <div key={label} className={styles['row']}>
            <dt>{label}</dt>
            <dd>
              <bdi>{text}</bdi>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
