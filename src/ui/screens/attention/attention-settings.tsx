import { t } from '@lingui/core/macro'
import { useSelector } from '../../hooks/use-selector.ts'
import { incidentKinds, thresholdKey, thresholdOf, type KindEntry } from '../../../folding/incidents/incident-kinds.ts'
import type { IncidentKind } from '../../../folding/incidents/incident.ts'
import type {
  AttentionPreferences,
  NotificationPermissionState,
} from '../../../machines/incidents/incidents/incidents.events.ts'
import { areIncidentsLoaded } from '../../../machines/incidents/incidents/incidents.selectors.ts'
import { Button } from '../../parts/actions/button.tsx'
import { Skeleton } from '../../parts/display/skeleton.tsx'
import { Checkbox } from '../../parts/fields/checkbox.tsx'
import { NumberField } from '../../parts/fields/number-field.tsx'
import { Select } from '../../parts/fields/select.tsx'
import { Switch } from '../../parts/fields/switch.tsx'
import { useSystem } from '../../hooks/system-context.ts'
import { Section } from '../section.tsx'
import styles from './attention.module.css'
import { localDigits } from '../../../folding/text/format.ts'

function useChange(): (change: Partial<AttentionPreferences>) => void {
  const { incidents } = useSystem()
  return change => incidents.send({ type: 'incidents.change', change })
}

const HALF_HOURS = Array.from({ length: 48 }, (_, index) => {
  const minute = index * 30
  return {
    id: String(minute),
    label: localDigits(`${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`),
  }
})
const NIGHT = { from: 22 * 60, until: 7 * 60 }

function QuietHours({ preferences: { quietHours } }: { readonly preferences: AttentionPreferences }) {
  const change = useChange()
  return (
    <>
      <Switch isSelected={quietHours !== undefined} onChange={isOn => change({ quietHours: isOn ? NIGHT : undefined })}>
        {t`Quiet hours: one notification at their end for what still lasts`}
      </Switch>
      {quietHours === undefined ? undefined : (
        <div className="flex wrap gap-3">
          <Select
            label={t`From`}
            options={HALF_HOURS}
            value={String(quietHours.from)}
            onChange={from => change({ quietHours: { ...quietHours, from: Number(from) } })}
          />
          <Select
            label={t`Until`}
            options={HALF_HOURS}
            value={String(quietHours.until)}
            onChange={until => change({ quietHours: { ...quietHours, until: Number(until) } })}
          />
        </div>
      )}
    </>
  )
}

const permissionTexts: Readonly<Partial<Record<NotificationPermissionState, string>>> = {
  unsupported: t`This browser shows no notifications on this page. They need a page over https:// or on this computer.`,
  denied: t`This browser was told not to show notifications of this page. Allow them in the browser’s settings for this page.`,
}

function Notifications({ preferences }: { readonly preferences: AttentionPreferences }) {
  const { incidents } = useSystem()
  const change = useChange()
  const permission = useSelector(incidents, ({ context }) => context.permission)
  const isAsking = useSelector(incidents, snapshot => snapshot.hasTag('asking'))
  const refusal = permission === undefined ? undefined : permissionTexts[permission]
  const isOn = preferences.notifies && permission === 'granted'
  return (
    <Section
      title={t`Notifications`}
      note={t`Shown while no tab of this page is in front, several incidents in one. They come while the page is open.`}
    >
      <div className="stack justify-start gap-3">
        {refusal === undefined ? undefined : <p className="quiet type-3 pretty">{refusal}</p>}
        <Switch
          isSelected={isOn}
          isDisabled={refusal !== undefined || isAsking}
          onChange={notifies => {
            change({ notifies })
            if (notifies && permission !== 'granted') incidents.send({ type: 'incidents.askPermission' })
          }}
        >
          {t`Notify me of incidents`}
        </Switch>
        {isOn ? (
          <>
            <QuietHours preferences={preferences} />
            <Switch isSelected={preferences.hasSound} onChange={hasSound => change({ hasSound })}>
              {t`With a sound`}
            </Switch>
            <Button icon="news" onPress={() => incidents.send({ type: 'incidents.tryNotification' })}>
              {t`Show one now`}
            </Button>
          </>
        ) : undefined}
      </div>
    </Section>
  )
}

type RuleProps = {
  readonly kind: IncidentKind
  readonly entry: KindEntry
  readonly preferences: AttentionPreferences
}

function withOrWithout<T>(list: readonly T[], item: T, isIn: boolean): readonly T[] {
  return [...list.filter(other => other !== item), ...(isIn ? [item] : [])]
}

function Rule({ kind, entry: { title, thresholds }, preferences }: RuleProps) {
  const change = useChange()
  const { disabled, notified } = preferences
  const isOn = !disabled.includes(kind)
  return (
    <div role="group" aria-label={title} className={styles['rule']}>
      <div className="row between gap-2-4">
        <Checkbox
          isSelected={isOn}
          onChange={isSelected => change({ disabled: withOrWithout(disabled, kind, !isSelected) })}
        >
          {title}
        </Checkbox>
        <Checkbox
          isSelected={notified.includes(kind)}
          isDisabled={!isOn || !preferences.notifies}
          onChange={isSelected => change({ notified: withOrWithout(notified, kind, isSelected) })}
        >
          {t`Notify`}
        </Checkbox>
      </div>
      {Object.entries(thresholds).map(([name, { label, unit, least, most, reason, default: usual }]) => (
        <div key={name} className={styles['threshold']}>
          <span>{label}</span>
          <NumberField
            label={`${title}: ${label}`}
            value={thresholdOf(preferences, kind, name)}
            maximum={most}
            isDisabled={!isOn}
            onChange={value =>
              change({
                thresholds: { ...preferences.thresholds, [thresholdKey(kind, name)]: Math.max(least, value) },
              })
            }
          />
          <span className={styles['unit']}>{t`${unit}, usually ${usual}`}</span>
          <p className="all-columns quiet type-2 pretty">{reason}</p>
        </div>
      ))}
    </div>
  )
}

/** Thresholds of the rules, each with its reason, and what notifies. */
export function AttentionSettings() {
  const { incidents } = useSystem()
  const change = useChange()
  const preferences = useSelector(incidents, ({ context }) => context.preferences)
  const isLoaded = useSelector(incidents, areIncidentsLoaded)
  if (!isLoaded) return <Skeleton label={t`Loading…`} rows={6} />
  return (
    <div className="stack gap-6 pad-top-4">
      <Notifications preferences={preferences} />
      <Section
        title={t`Rules`}
        note={t`What is looked for, and from when on it counts. Kept in this browser.`}
        tools={
          <Button isSmall icon="reset" onPress={() => change({ thresholds: {}, disabled: [] })}>
            {t`Reset all rules`}
          </Button>
        }
      >
        <div className="stack justify-start gap-3">
          {incidentKinds.map(([kind, entry]) => (
            <Rule key={kind} kind={kind} entry={entry} preferences={preferences} />
          ))}
        </div>
      </Section>
    </div>
  )
}
