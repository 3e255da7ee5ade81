import { t } from '@lingui/core/macro'
import { useSelector } from '../hooks/use-selector.ts'
import { useState } from 'react'
import { useLocation } from 'react-router-dom'
import { loadFaultText } from '../../folding/shared/load-fault.ts'
import { formatInterval } from '../../folding/text/times.ts'
import { isClockFarOut } from '../../machines/app/clock/clock.selectors.ts'
import { isOnline } from '../../machines/app/app.selectors.ts'
import type { WireFault } from '../../machines/app/wire.events.ts'
import { isAccountUnreachable, selectAccountProblem } from '../../machines/account/account/account.selectors.ts'
import { isAnyConnected, isSimulationShown } from '../../machines/connection/fleet/fleet.selectors.ts'
import { selectRelayCondition } from '../../machines/connection/relay/relay.selectors.ts'
import { ButtonLink } from '../parts/actions/button-link.tsx'
import { Button } from '../parts/actions/button.tsx'
import { Banner } from '../parts/feedback/banner.tsx'
import { focusContentSoon } from '../parts/focus-content.ts'
import { usePageServer } from '../hooks/server-context.ts'
import { useSystem } from '../hooks/system-context.ts'
import { lazyComponent } from '../parts/feedback/lazy-component.tsx'
import { NOT_FOUND } from './not-found.ts'
import { NotFoundNotice } from './not-found-notice.tsx'
import { ClientBehindNotice, SimulationRibbon } from './simulation-ribbon.tsx'
import styles from './notices.module.css'
import { UpdateNotice } from './update-notice.tsx'
import { UpgradeNotice } from './upgrade-notice.tsx'

const ServerNotice = lazyComponent(
  () => import('../server/server-notice.tsx').then(m => m.ServerNotice),
  t`The session at the server`,
)

function OfflineNotice() {
  return (
    <Banner help="/help/when-something-is-wrong#this-computer-is-offline" tone="warning" icon="offline">
      {t`This computer is offline. Showing the last known state; reconnecting when the network is back.`}
    </Banner>
  )
}

function InsecurePageNotice() {
  return (
    <Banner help="/help/when-something-is-wrong#you-cannot-log-in-here" tone="warning" icon="warning">
      {t`You cannot log in here: the page was loaded over plain HTTP from another computer, and browsers then disable cryptography. Open it over https://, or as http://localhost on the computer that serves it.`}
    </Banner>
  )
}

function RelayNotice() {
  const { relay } = useSystem()
  return (
    <Banner
      help="/help/when-something-is-wrong#the-account-or-its-relay-does-not-answer"
      tone="warning"
      icon="offline"
      actions={
        <Button isSmall onPress={() => relay.send({ type: 'relay.check' })}>
          {t`Try now`}
        </Button>
      }
    >
      {t`The relay to your account’s machines cannot be reached. Retrying automatically.`}
    </Banner>
  )
}

function InvalidNodeNotice({ node }: { readonly node: string }) {
  const { account } = useSystem()
  return (
    <Banner
      help="/help/when-something-is-wrong#the-account-or-its-relay-does-not-answer"
      tone="warning"
      icon="warning"
      actions={
        <>
          <ButtonLink to="/account/settings">{t`Account settings`}</ButtonLink>
          <Button isSmall onPress={() => account.send({ type: 'account.signOut' })}>
            {t`Logout`}
          </Button>
        </>
      }
    >
      {t`Your account’s node “${node}” is not a valid address, so your account’s machines are not shown. Set another node in the account settings.`}
    </Banner>
  )
}

function AccountNotice({ children }: { readonly children: string }) {
  const { account } = useSystem()
  const isUnreachable = useSelector(account, isAccountUnreachable)
  return (
    <Banner
      help="/help/when-something-is-wrong#the-account-or-its-relay-does-not-answer"
      tone="warning"
      icon={isUnreachable ? 'offline' : 'wait'}
      actions={
        <>
          {isUnreachable ? (
            <Button isSmall onPress={() => account.send({ type: 'account.refresh' })}>
              {t`Try now`}
            </Button>
          ) : undefined}
          <Button isSmall onPress={() => account.send({ type: 'account.signOut' })}>
            {t`Logout`}
          </Button>
        </>
      }
    >
      {children}
    </Banner>
  )
}

function ClockNotice() {
  const offset = useSelector(useSystem().clock, ({ context }) => context.offset)
  const difference = formatInterval(Math.abs(offset) / 1000)
  return (
    <Banner help="/help/when-something-is-wrong#clock-is-wrong" tone="warning" icon="wait">
      {offset > 0
        ? t`This computer’s clock is ${difference} behind. Foldboard corrects for this, but please set the clock: machines ignore commands with a wrong time.`
        : t`This computer’s clock is ${difference} ahead. Foldboard corrects for this, but please set the clock: machines ignore commands with a wrong time.`}
    </Banner>
  )
}

const NOT_RUNNING = t`The part of Foldboard that connects to your machines is not running.`

function WireFaultNotice({ fault }: { readonly fault: WireFault }) {
  const { app } = useSystem()
  return (
    <Banner
      help="/help/when-something-is-wrong#the-page-itself-fails"
      tone="warning"
      icon="offline"
      actions={
        <>
          {fault === 'newVersion' ? undefined : (
            <Button isSmall onPress={() => app.send({ type: 'wire.restart' })}>
              {t`Try again`}
            </Button>
          )}
          {fault === 'serverAway' ? undefined : (
            <Button isSmall onPress={() => window.location.reload()}>
              {t`Reload the page`}
            </Button>
          )}
        </>
      }
    >
      {NOT_RUNNING}{' '}
      {fault === 'crashed' ? t`It has stopped several times. Try again, or reload the page.` : loadFaultText(fault)}
    </Banner>
  )
}

function NoStorageNotice() {
  const [isDismissed, setDismissed] = useState(false)
  if (isDismissed) return null
  return (
    <Banner
      help="/help/when-something-is-wrong#the-browser-stores-nothing"
      tone="warning"
      icon="warning"
      actions={
        <Button
          isSmall
          onPress={() => {
            setDismissed(true)
            focusContentSoon()
          }}
        >
          {t`Dismiss`}
        </Button>
      }
    >
      {t`This browser does not let Foldboard store data. Closing or reloading the page logs you out and deletes your work unit history.`}
    </Banner>
  )
}

/** Problems that affect the whole app, and what to do about them. */
export function Notices({ onFind }: { readonly onFind: () => void }) {
  const state = useLocation().state as Readonly<Record<string, unknown>> | null
  const notFound = state?.[NOT_FOUND]
  const { app, relay, account, clock, updates, fleet } = useSystem()
  const server = usePageServer()
  const saysOffline = useSelector(app, snapshot => !isOnline(snapshot))
  const isAnyLive = useSelector(fleet, isAnyConnected)
  const isSimulated = useSelector(fleet, isSimulationShown)
  const isInsecure = useSelector(app, snapshot => !snapshot.context.input.isSecure)
  const isRelayLost = useSelector(relay, snapshot => selectRelayCondition(snapshot) === 'lost')
  const invalidNode = useSelector(relay, ({ context }) => context.invalidNode)
  const accountTrouble = useSelector(account, selectAccountProblem)
  const wireFault = useSelector(app, ({ context }) => context.wireFault)
  const hasNoStorage = useSelector(app, ({ context }) => context.isStorageUnavailable)
  const hasUpdate = useSelector(updates, snapshot => snapshot.hasTag('offered'))
  const isNew = useSelector(updates, ({ context }) => context.isUpgraded)
  const isClockOff = useSelector(clock, isClockFarOut)
  return (
    <>
      {isSimulated ? <SimulationRibbon /> : undefined}
      <div aria-live="polite" className={styles['notices']}>
        {typeof notFound === 'string' ? <NotFoundNotice path={notFound} onFind={onFind} /> : undefined}
        {isSimulated ? <ClientBehindNotice /> : undefined}
        {server === undefined ? undefined : <ServerNotice />}
        {isInsecure ? <InsecurePageNotice /> : undefined}
        {wireFault === undefined ? undefined : <WireFaultNotice fault={wireFault} />}
        {hasNoStorage ? <NoStorageNotice /> : undefined}
        {/* Without a route to the internet browsers say so, although clients on this computer or network may be reached. */}
        {saysOffline && !isAnyLive ? <OfflineNotice /> : undefined}
        {accountTrouble === undefined ? undefined : <AccountNotice>{accountTrouble}</AccountNotice>}
        {accountTrouble === undefined && isRelayLost ? <RelayNotice /> : undefined}
        {invalidNode === undefined ? undefined : <InvalidNodeNotice node={invalidNode} />}
        {isClockOff ? <ClockNotice /> : undefined}
        {hasUpdate ? <UpdateNotice /> : undefined}
        {isNew ? <UpgradeNotice /> : undefined}
      </div>
    </>
  )
}
