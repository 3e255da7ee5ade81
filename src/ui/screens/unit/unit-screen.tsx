import { t } from '@lingui/core/macro'
import { shallowEqual, useSelector } from '../../hooks/use-selector.ts'
import { useMemo, type ReactNode } from 'react'
import { useParams } from 'react-router-dom'
import { statusAppearance } from '../../../folding/unit/unit-status.ts'
import { selectPartFault } from '../../../machines/app/app.selectors.ts'
import { isAccountLoading } from '../../../machines/account/account/account.selectors.ts'
import type { ClientRef } from '../../../machines/connection/client/client.machine.ts'
import { selectClientOfUnit, selectMemberId } from '../../../machines/connection/fleet/fleet.selectors.ts'
import {
  isHistoryComing,
  selectStoredClient,
  selectStoredUnit,
} from '../../../machines/units/history/history.selectors.ts'
import { endOf, type ArchivedUnit } from '../../../folding/unit/history.ts'
import { ButtonLink } from '../../parts/actions/button-link.tsx'
import { EmptyState } from '../../parts/display/empty-state.tsx'
import { Skeleton } from '../../parts/display/skeleton.tsx'
import { Banner, type BannerProps } from '../../parts/feedback/banner.tsx'
import { useSystem } from '../../hooks/system-context.ts'
import { useHistoryOf } from '../../hooks/use-ppd-history.ts'
import { selectIncidents } from '../../../machines/incidents/incidents/incidents.selectors.ts'
import { IncidentSummary } from '../machines/client/client-incidents.tsx'
import { groupNameOf } from '../../../folding/client/group.ts'
import { progressOf, statusOf, unitNotice, unitSetting } from '../../../folding/unit/unit-cells.ts'
import { deadlineRisk, projectOf, projectTitle } from '../../../folding/unit/unit-progress.ts'
import { formatPercent } from '../../../folding/text/format.ts'
import { formatDate } from '../../../folding/text/times.ts'
import { MilestoneButton } from '../../milestone/milestone-button.tsx'
import { MoleculePicture } from '../molecule/molecule-picture.tsx'
import { selectId } from '../../../machines/connection/client/client.selectors.ts'
import { Page } from '../page.tsx'
import { BenchmarkChoice, SpeedChoice } from './unit-choices.tsx'
import { UnitCredits } from './unit-credits.tsx'
import { UnitFields } from './unit-fields.tsx'
import { settingPath } from '../machine/settings-path.ts'
import { UnitEarnings } from './unit-earnings.tsx'
import { UnitHistory } from './unit-history.tsx'
import { StoredUnitLinks, LiveUnitLinks } from './unit-links.tsx'
import { UnitProject } from './unit-project.tsx'
import styles from './unit-screen.module.css'
import { storedUnitSource, liveUnitSource, selectKeyOf, UnitSourceProvider, useUnitValue } from './unit-source.ts'

const TITLE = t`Work Unit Details`

/** The deadline at risk, or why the unit makes no progress. */
function Notice({ client }: { client: string | undefined }) {
  const notice = useUnitValue(unitNotice)
  const group = useUnitValue(groupNameOf) ?? ''
  const setting = useUnitValue(unitSetting)
  const risk = useUnitValue((unit, { now }) => deadlineRisk(unit, now)) ?? 'none'
  const { tone, icon } = statusAppearance(useUnitValue(statusOf) ?? '')
  if (notice === undefined) return null
  const look: Pick<BannerProps, 'tone' | 'icon' | 'help'> =
    risk === 'none'
      ? { tone, icon }
      : risk === 'timeout'
        ? { tone: 'warning', icon: 'warning', help: '/help/when-something-is-wrong#timeout-missed-or-at-risk' }
        : { tone: 'failed', icon: 'warning', help: '/help/when-something-is-wrong#deadline-missed-or-at-risk' }
  const link =
    client === undefined || setting === undefined ? undefined : (
      <ButtonLink to={settingPath(client, { group, setting })}>{t`Settings`}</ButtonLink>
    )
  return (
    <Banner {...look} actions={link}>
      {notice}
    </Banner>
  )
}

/** Incidents about this unit. */
function UnitIncidents() {
  const { unitID = '' } = useParams()
  const incidents = useSelector(
    useSystem().incidents,
    snapshot => selectIncidents(snapshot).filter(({ evidence }) => evidence.unitId === unitID),
    shallowEqual,
  )
  return <IncidentSummary incidents={incidents} isExpanded />
}

function UnitMilestone({ client }: { readonly client: string | undefined }) {
  const { unitID = '' } = useParams()
  const project = useUnitValue(projectOf)
  const percent = formatPercent(useUnitValue(progressOf))
  const ended = useUnitValue(endOf)
  return (
    <MilestoneButton
      title={projectTitle(project)}
      lines={[ended === undefined ? percent : formatDate(ended)]}
      subject={client === undefined ? undefined : { client, unit: unitID }}
    />
  )
}

type UnitProps = { links: ReactNode; picture: ReactNode; choice: ReactNode; client?: string }

function Unit({ links, picture, choice, client: id }: UnitProps) {
  const client = useUnitValue((_, context) => context.machine)
  const number = useUnitValue(unit => unit.number)
  const actions = (
    <>
      {links}
      <UnitMilestone client={id} />
    </>
  )
  const name = number === undefined ? (client ?? '') : t`WU${number} on ${client ?? ''}`
  return (
    <Page title={TITLE} subject={name} subtitle={name} actions={actions}>
      <div className="stack gap-6">
        <Notice client={id} />
        <UnitIncidents />
        <div className={styles['story']}>
          {picture}
          <div className="grid gap-5">
            <UnitProject />
            <UnitEarnings />
          </div>
        </div>
        <UnitHistory />
        <UnitFields />
        {choice}
        <UnitCredits />
      </div>
    </Page>
  )
}

function LiveUnit({ client, unitKey }: { client: ClientRef; unitKey: string }) {
  const { unitID = '' } = useParams()
  const { clock } = useSystem()
  const source = useMemo(() => liveUnitSource(client, clock, unitKey), [client, clock, unitKey])
  return (
    <UnitSourceProvider value={source}>
      <Unit
        client={selectId(client.getSnapshot())}
        choice={<SpeedChoice />}
        links={<LiveUnitLinks client={client} unitKey={unitKey} />}
        picture={
          <MoleculePicture client={selectId(client.getSnapshot())} unit={unitID} className={styles['picture']} />
        }
      />
    </UnitSourceProvider>
  )
}

/** The molecule of a unit that ended, where its machine is listed: what this browser stored of it. */
function StoredPicture({ archived: { machine: client, unit } }: { archived: ArchivedUnit }) {
  const id = useSelector(useSystem().fleet, selectMemberId(client))
  return id === undefined ? undefined : (
    <MoleculePicture client={id} unit={unit.id ?? ''} className={styles['picture']} />
  )
}

function StoredUnit({ archived }: { archived: ArchivedUnit }) {
  const { clock, history } = useSystem()
  const client = useSelector(history, selectStoredClient(archived.machine))
  const source = useMemo(() => storedUnitSource(archived, client, clock), [archived, client, clock])
  return (
    <UnitSourceProvider value={source}>
      <Unit
        links={<StoredUnitLinks clientKey={archived.machine} />}
        picture={<StoredPicture archived={archived} />}
        choice={<BenchmarkChoice archived={archived} />}
      />
    </UnitSourceProvider>
  )
}

function Missing({ isLoading }: { isLoading: boolean }) {
  return (
    <Page title={TITLE}>
      {isLoading ? (
        <Skeleton label={t`Loading…`} rows={9} />
      ) : (
        <EmptyState
          icon="units"
          title={t`Work unit not found`}
          actions={
            <ButtonLink kind="primary" to="/wus">
              {t`Show work units`}
            </ButtonLink>
          }
        >
          <p>{t`None of your machines has it, and it is not in the history.`}</p>
        </EmptyState>
      )}
    </Page>
  )
}

export function UnitScreen() {
  const { unitID = '' } = useParams()
  const { app, fleet, history, account } = useSystem()
  useHistoryOf('unit', 'all')
  const client = useSelector(fleet, selectClientOfUnit(unitID))
  const unitKey = useSelector(client, snapshot => (snapshot === undefined ? undefined : selectKeyOf(unitID)(snapshot)))
  const archived = useSelector(history, selectStoredUnit(unitID))
  const hasNoHistory = useSelector(app, snapshot => selectPartFault('history')(snapshot) !== undefined)
  const isHistoryPending = useSelector(history, isHistoryComing) && !hasNoHistory
  const isLoading = useSelector(account, isAccountLoading)
  if (client !== undefined && unitKey !== undefined) return <LiveUnit client={client} unitKey={unitKey} />
  return archived === undefined ? (
    <Missing isLoading={isHistoryPending || isLoading} />
  ) : (
    <StoredUnit archived={archived} />
  )
}
