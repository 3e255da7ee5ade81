import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useSelector } from '../../hooks/use-selector.ts'
import { useId, type ReactNode } from 'react'
import { isAccountUnreachable } from '../../../machines/account/account/account.selectors.ts'
import { useConnectionDialogs } from '../../hooks/use-connection-dialogs.ts'
import { useSystem } from '../../hooks/system-context.ts'
import { ButtonLink } from '../../parts/actions/button-link.tsx'
import { Button } from '../../parts/actions/button.tsx'
import { Icon, type IconName } from '../../parts/icons/icon.tsx'
import { LanguageMenu } from '../../shell/language-menu.tsx'
import styles from './first-screen.module.css'

type ChoiceProps = {
  readonly icon: IconName
  readonly title: string
  readonly children: ReactNode
  readonly actions?: ReactNode
}

function Choice({ icon, title, children, actions }: ChoiceProps) {
  const id = useId()
  return (
    <li className={styles['choice']} aria-labelledby={id}>
      <span className={styles['picture']}>
        <Icon name={icon} />
      </span>
      <div className={styles['words']}>
        <h3 id={id} className="text-color type-5 strong">
          {title}
        </h3>
        {children}
      </div>
      {actions === undefined ? undefined : <div className={styles['actions']}>{actions}</div>}
    </li>
  )
}

function ThisComputer() {
  const { fleet } = useSystem()
  const { connect, checkPage } = useConnectionDialogs()
  const address = useSelector(fleet, ({ context }) => context.localAddress)
  return (
    <Choice
      icon="machines"
      title={t`Find the client on this computer`}
      actions={
        <>
          <Button kind="primary" onPress={checkPage}>
            {t`Find the client`}
          </Button>
          <Button icon="connect" onPress={connect}>
            {t`Connect to a client`}
          </Button>
          <ButtonLink to="https://foldingathome.org/start-folding/">{t`Install the client software`}</ButtonLink>
        </>
      }
    >
      <p>
        {address === '' || address === window.location.host
          ? t`See whether a client runs on this computer, and what keeps this page from it.`
          : t`No client answers at ${address} yet. See what keeps this page from it.`}
      </p>
      <p>{t`In the Brave browser, turn Shields down for this page.`}</p>
    </Choice>
  )
}

function Account() {
  const { account, signIn } = useSystem()
  const hasAccount = useSelector(account, snapshot => snapshot.hasTag('signedIn'))
  const isUnreachable = useSelector(account, isAccountUnreachable)
  if (isUnreachable)
    return (
      <Choice icon="user" title={t`Your account`}>
        <p>{t`Your account’s machines appear here as soon as the account server can be reached.`}</p>
      </Choice>
    )
  if (hasAccount)
    return (
      <Choice
        icon="user"
        title={t`Your account`}
        actions={<ButtonLink to="/account/settings">{t`Account settings`}</ButtonLink>}
      >
        <p>{t`No machine is linked to this account. Install the client software on one and link it with the account’s token.`}</p>
      </Choice>
    )
  return (
    <Choice
      icon="user"
      title={t`Your account`}
      actions={
        <Button kind="primary" onPress={() => signIn.send({ type: 'signIn.open' })}>
          {t`Login`}
        </Button>
      }
    >
      <p>{t`See and control the machines of your account, wherever they are.`}</p>
    </Choice>
  )
}

function Demo() {
  const { app, signIn } = useSystem()
  const demo = useSelector(app, ({ context }) => context.input.demo)
  if (demo === undefined)
    return (
      <Choice icon="molecule" title={t`See a demo`}>
        <p>
          <Trans>
            Foldboard comes with simulated machines. Start it on your computer with <code>npm start</code>, and it
            offers them here.
          </Trans>
        </p>
      </Choice>
    )
  const enter = (): void => {
    signIn.send({ type: 'signIn.open' })
    signIn.send({
      type: 'signIn.submit',
      email: demo.email,
      user: '',
      team: '',
      secrets: { passphrase: demo.secrets.passphrase, passphraseAgain: '', passkey: '' },
    })
  }
  return (
    <Choice icon="molecule" title={t`See a demo`} actions={<Button onPress={enter}>{t`Show the demo`}</Button>}>
      <p>{t`Log in to an account with simulated machines that fold small proteins.`}</p>
    </Choice>
  )
}

/** No client is there yet: the ways to one. */
export function FirstScreen() {
  const hasAccount = useSelector(useSystem().account, snapshot => snapshot.hasTag('signedIn'))
  const title = useId()
  return (
    <section aria-labelledby={title} className={styles['first']}>
      <h2 id={title} className="type-6 strong tight tracking">
        {t`No machines found`}
      </h2>
      <p className="quiet pretty">{t`Choose how to begin. A client that starts meanwhile appears by itself.`}</p>
      <ul className={styles['choices']}>
        <ThisComputer />
        <Account />
        {hasAccount ? undefined : <Demo />}
      </ul>
      <div>
        <LanguageMenu />
      </div>
    </section>
  )
}
