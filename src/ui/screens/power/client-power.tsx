import { t } from '@lingui/core/macro'
import { useState } from 'react'
import { gpuIds, gpuName, gpuOf, shortGpuName } from '../../../folding/client/resources.ts'
import { drawOf } from '../../../folding/power/draw.ts'
import { guessProfile } from '../../../folding/power/hardware-power.ts'
import {
  completedProfile,
  MOST_WATTS,
  profileOfClient,
  type Figure,
  type PowerProfile,
} from '../../../folding/power/power.ts'
import { formatWatts, GUESS_HINT, withOrigin } from '../../../folding/power/power-text.ts'
import { formatDigits } from '../../../folding/text/format.ts'
import { selectClientKey, selectInfo, selectView } from '../../../machines/connection/client/client.selectors.ts'
import { selectPower, selectPowerReport } from '../../../machines/fleet/power/power.selectors.ts'
import { useClient, useClientSelector } from '../../hooks/client-context.ts'
import { useClock, useSystem } from '../../hooks/system-context.ts'
import { useSelector } from '../../hooks/use-selector.ts'
import { ButtonLink } from '../../parts/actions/button-link.tsx'
import { DecimalField } from '../../parts/fields/decimal-field.tsx'
import { Section } from '../section.tsx'
import { WhenLoaded } from '../when-loaded.tsx'
import styles from './power.module.css'

type WattsProps = {
  readonly label: string
  readonly figure: Figure | undefined
  readonly guess: Figure | undefined
  readonly onChange: (figure: Figure | undefined) => void
  readonly onLeave: () => void
}

/** A figure that its owner enters; empty: the guess counts, which is shown in its place. */
function WattsField({ label, figure, guess, onChange, onLeave }: WattsProps) {
  return (
    <DecimalField
      label={label}
      value={figure?.watts}
      minimum={0}
      maximum={MOST_WATTS}
      {...(guess === undefined ? {} : { placeholder: `≈ ${formatDigits(guess.watts)}` })}
      description={
        figure === undefined
          ? guess === undefined
            ? t`Not known`
            : t`Guess`
          : figure.origin === 'measured'
            ? t`Measured`
            : t`Entered`
      }
      onClear={() => onChange(undefined)}
      onChange={watts => onChange({ watts, origin: 'entered' })}
      onLeave={onLeave}
    />
  )
}

function Fields({ client }: { readonly client: string }) {
  const { power } = useSystem()
  const info = useSelector(useClient(), selectInfo)
  const saved = useSelector(power, snapshot => profileOfClient(selectPower(snapshot), client))
  const [draft, setDraft] = useState<PowerProfile>()
  const profile = draft ?? saved
  const guess = guessProfile(info)
  const onLeave = (): void => {
    if (draft !== undefined) power.send({ type: 'power.profile', machine: client, profile: draft })
    setDraft(undefined)
  }
  const gpus = gpuIds(info).filter(id => gpuOf(info, id)?.supported === true)
  const withGpu = (id: string, figure: Figure | undefined): PowerProfile => {
    const { [id]: _, ...others } = profile.gpus
    return { ...profile, gpus: figure === undefined ? others : { ...others, [id]: figure } }
  }
  return (
    <div className={styles['fields']}>
      <WattsField
        label={t`Idle, the whole machine, W`}
        figure={profile.idle}
        guess={guess.idle}
        onChange={idle => setDraft({ ...profile, idle })}
        onLeave={onLeave}
      />
      <WattsField
        label={t`All CPUs folding, in addition, W`}
        figure={profile.cpu}
        guess={guess.cpu}
        onChange={cpu => setDraft({ ...profile, cpu })}
        onLeave={onLeave}
      />
      {gpus.map(id => {
        const name = shortGpuName(gpuName(info, id))
        return (
          <WattsField
            key={id}
            label={t`${name} folding, in addition, W`}
            figure={Object.hasOwn(profile.gpus, id) ? profile.gpus[id] : undefined}
            guess={Object.hasOwn(guess.gpus, id) ? guess.gpus[id] : undefined}
            onChange={figure => setDraft(withGpu(id, figure))}
            onLeave={onLeave}
          />
        )
      })}
    </div>
  )
}

function DrawsNow({ client }: { readonly client: string }) {
  const { power } = useSystem()
  const view = useSelector(useClient(), selectView)
  const settings = useSelector(power, selectPower)
  const report = useSelector(power, selectPowerReport)
  const text = useClock(now => {
    const profile = completedProfile(profileOfClient(settings, client), guessProfile(view.data?.info))
    const { watts, origin } = drawOf(view, profile, now, report.meters[client])
    return withOrigin(formatWatts(watts), origin)
  })
  return (
    <p {...(text.startsWith('≈') ? { title: GUESS_HINT } : {})}>
      {t`Watts now`}: <strong>{text}</strong>
    </p>
  )
}

/** What the machine in the route draws: settings of this page, not of the client. */
export function ClientPower() {
  const client = useClientSelector(selectClientKey)
  if (client === undefined) return null
  return (
    <Section
      title={t`Power`}
      note={t`Kept by Foldboard, not by the machine. Without a figure a guess counts: what the maker says the hardware may draw at most.`}
      tools={<ButtonLink to="/stats/power">{t`Power of all machines`}</ButtonLink>}
      className={styles['panel']}
    >
      <WhenLoaded part="power" what={t`Power`}>
        <DrawsNow client={client} />
        <Fields key={client} client={client} />
      </WhenLoaded>
    </Section>
  )
}
