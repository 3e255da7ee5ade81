import { t } from '@lingui/core/macro'
import { useSelector } from '../../hooks/use-selector.ts'
import type { ReactNode } from 'react'
import { bugReportText } from '../../../folding/shared/bug-report.ts'
import { build, buildText } from '../../../folding/shared/build.ts'
import { safeWebUrl } from '../../../folding/address/web-address.ts'
import { isOnline } from '../../../machines/app/app.selectors.ts'
import type { System } from '../../../machines/app/system.ts'
import { isUpdateKnown } from '../../../machines/app/updates/updates.selectors.ts'
import { isDirect, selectVersion } from '../../../machines/connection/client/client.selectors.ts'
import { selectRelayCondition } from '../../../machines/connection/relay/relay.selectors.ts'
import { Button } from '../../parts/actions/button.tsx'
import { ButtonLink } from '../../parts/actions/button-link.tsx'
import { useSystem } from '../../hooks/system-context.ts'
import { useCopy } from '../../hooks/use-copy.ts'
import { Page } from '../page.tsx'
import { Section } from '../section.tsx'
import styles from './about-screen.module.css'
import { Licenses } from './licenses.tsx'

const source = safeWebUrl(build.source)

function Row({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div className={styles['row']}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function reportOf({ app, account, relay, clock, updates, fleet }: System): string {
  return bugReportText({
    build,
    browser: navigator.userAgent,
    protocol: window.location.protocol,
    isLocal: /^(?:localhost|127\.|\[::1\])/.test(window.location.hostname),
    isSecure: app.getSnapshot().context.input.isSecure,
    isOnline: isOnline(app.getSnapshot()),
    isStoredOffline: updates.getSnapshot().context.isStored,
    isUpdateKnown: isUpdateKnown(updates.getSnapshot()),
    isSignedIn: account.getSnapshot().hasTag('signedIn'),
    relay: selectRelayCondition(relay.getSnapshot()),
    clockOffset: clock.getSnapshot().context.offset,
    connections: Object.values(fleet.getSnapshot().context.members).map(({ ref }) => {
      const client = ref.getSnapshot()
      return {
        way: isDirect(client) ? ('direct' as const) : ('relay' as const),
        isConnected: client.hasTag('connected'),
        version: selectVersion(client),
      }
    }),
  })
}

function Version() {
  const { updates } = useSystem()
  const hasUpdate = useSelector(updates, isUpdateKnown)
  const isStored = useSelector(updates, ({ context }) => context.isStored)
  return (
    <Section title={t`Version`}>
      <dl>
        <Row name={t`Foldboard`}>
          <bdi dir="ltr" className="type-3 mono">
            {buildText(build)}
          </bdi>
        </Row>
        <Row name={t`New version`}>
          {hasUpdate ? (
            <Button isSmall kind="primary" onPress={() => updates.send({ type: 'updates.take' })}>
              {t`Use the new version`}
            </Button>
          ) : (
            t`None found since this page was loaded`
          )}
        </Row>
        <Row name={t`Without a network`}>
          {isStored
            ? t`This page is stored in this browser and opens without a network.`
            : t`This page is not stored in this browser. It is stored a few seconds after it was loaded over https:// or from this computer, unless the connection is metered or slow.`}
        </Row>
        <Row name={t`Source code`}>
          {source === undefined ? (
            t`Published together with this version`
          ) : (
            <ButtonLink to={source}>{t`Show the source code`}</ButtonLink>
          )}
        </Row>
        <Row name={t`License`}>{t`GNU General Public License, version 3 or later`}</Row>
      </dl>
    </Section>
  )
}

function BugReport() {
  const system = useSystem()
  const { copy, outcome } = useCopy()
  return (
    <Section
      title={t`Reporting a bug`}
      note={t`Say what you did, what you expected and what happened instead, and add the text below. It contains no names, addresses, keys or ids.`}
      tools={
        <Button icon="copy" onPress={() => copy(t`Report`, reportOf(system))}>
          {t`Copy the report`}
        </Button>
      }
    >
      <span role="status" className={styles['outcome']}>
        {outcome}
      </span>
      <pre dir="ltr" className={styles['report']} tabIndex={0} aria-label={t`Report`}>
        {reportOf(system)}
      </pre>
      <p className="quiet">
        {t`A recording of the session shows most errors: open the menu Recordings and choose “Save a recording…”. The dialog says what the file contains.`}
      </p>
    </Section>
  )
}

export function AboutScreen() {
  return (
    <Page title={t`About Foldboard`} subtitle={t`A control panel for Folding@home clients`}>
      <Version />
      <BugReport />
      <Licenses />
    </Page>
  )
}
