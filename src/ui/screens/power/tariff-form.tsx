import { t } from '@lingui/core/macro'
import { useState } from 'react'
import * as v from 'valibot'
import { tariffs as tariffsSchema, type Band, type Tariff, type Tariffs } from '../../../folding/power/power.ts'
import { CO2 } from '../../../folding/power/power-text.ts'
import { isSameValue } from '../../../folding/shared/equal.ts'
import { usePageServer } from '../../hooks/server-context.ts'
import { useSystem } from '../../hooks/system-context.ts'
import { Button, IconButton } from '../../parts/actions/button.tsx'
import { Segments } from '../../parts/actions/segments.tsx'
import { DecimalField } from '../../parts/fields/decimal-field.tsx'
import { Select } from '../../parts/fields/select.tsx'
import { TextField } from '../../parts/fields/text-field.tsx'
import { Days, Times } from '../schedules/rule-fields.tsx'
import { zoneOptions } from '../schedules/schedule-form.tsx'
import schedules from '../schedules/schedules.module.css'
import styles from './power.module.css'
import { ownZone } from '../../../folding/schedule/time-zone.ts'

type Kind = 'none' | Tariff['kind']

const newBand: Band = { kind: 'week', days: [1, 2, 3, 4, 5, 6, 7], from: '22:00', until: '06:00', price: 0 }

function startOf(kind: Kind, before: Tariff | null): Tariff | null {
  const price = before?.kind === 'fixed' ? before.price : before?.kind === 'bands' ? (before.otherwise ?? 0) : 0
  switch (kind) {
    case 'none':
      return null
    case 'fixed':
      return { kind, price }
    case 'bands':
      return { kind, bands: [{ ...newBand, price }], otherwise: price }
    case 'list':
      return { kind, input: 'price' }
  }
}

type TariffProps = {
  readonly title: string
  /** Of a number: '€/kWh'. */
  readonly unit: string
  readonly tariff: Tariff | null
  readonly onChange: (tariff: Tariff | null) => void
}

type BandsProps = Omit<TariffProps, 'tariff' | 'title'> & { readonly tariff: Extract<Tariff, { kind: 'bands' }> }

function Bands({ tariff, unit, onChange }: BandsProps) {
  const { bands, otherwise } = tariff
  const change = (next: readonly Band[]): void => onChange({ ...tariff, bands: [...next] })
  return (
    <>
      <ul className={styles['bands']}>
        {bands.map((band, index) => (
          <li key={index} className={schedules['fields']}>
            <Days rule={band} onChange={days => change(bands.with(index, { ...band, ...days }))} />
            <Times rule={band} onChange={times => change(bands.with(index, { ...band, ...times }))} />
            <DecimalField
              label={unit}
              value={band.price}
              onChange={price => change(bands.with(index, { ...band, price }))}
            />
            {bands.length === 1 ? undefined : (
              <IconButton icon="trash" label={t`Remove`} onPress={() => change(bands.toSpliced(index, 1))} />
            )}
          </li>
        ))}
      </ul>
      <div className={schedules['fields']}>
        <DecimalField
          label={t`${unit} at all other times`}
          value={otherwise ?? undefined}
          onClear={() => onChange({ ...tariff, otherwise: null })}
          onChange={price => onChange({ ...tariff, otherwise: price })}
        />
        <Button onPress={() => change([...bands, newBand])}>{t`Add weekly times`}</Button>
      </div>
    </>
  )
}

function TariffFields({ title, unit, tariff, onChange }: TariffProps) {
  const hasServer = usePageServer() !== undefined
  const kind = tariff?.kind ?? 'none'
  const kinds: readonly { readonly id: Kind; readonly label: string }[] = [
    { id: 'none', label: t`None` },
    { id: 'fixed', label: t`Always the same` },
    { id: 'bands', label: t`Weekly times` },
    ...(hasServer || kind === 'list' ? [{ id: 'list' as const, label: t`Input` }] : []),
  ]
  return (
    <fieldset className={styles['tariff']}>
      <legend>{title}</legend>
      <Segments label={title} segments={kinds} value={kind} onChange={next => onChange(startOf(next, tariff))} />
      {tariff?.kind === 'fixed' ? (
        <DecimalField label={unit} value={tariff.price} onChange={price => onChange({ ...tariff, price })} />
      ) : undefined}
      {tariff?.kind === 'bands' ? <Bands tariff={tariff} unit={unit} onChange={onChange} /> : undefined}
      {tariff?.kind === 'list' ? (
        <TextField
          label={t`Input`}
          isCode
          value={tariff.input}
          onChange={input => onChange({ ...tariff, input })}
          description={t`Programs send it a list of prices to /api/server/inputs/<name>.`}
        />
      ) : undefined}
    </fieldset>
  )
}

const currencies = Intl.supportedValuesOf('currency').map(id => ({ id, label: id }))

/** What a kilowatt hour costs, and how much CO₂ it causes. */
export function TariffForm({ tariffs }: { readonly tariffs: Tariffs | undefined }) {
  const { power } = useSystem()
  const saved: Tariffs = tariffs ?? { currency: 'EUR', timeZone: ownZone(), price: null, co2: null }
  const [draft, setDraft] = useState(saved)
  const change = (part: Partial<Tariffs>): void => setDraft(now => ({ ...now, ...part }))
  const isValid = v.is(tariffsSchema, draft)
  const save = (): void => power.send({ type: 'power.tariffs', tariffs: draft })
  return (
    <form
      className={styles['form']}
      onSubmit={event => {
        event.preventDefault()
        if (isValid) save()
      }}
    >
      <div className={schedules['fields']}>
        <Select
          label={t`Currency`}
          options={currencies}
          value={draft.currency}
          onChange={currency => change({ currency })}
        />
        <Select
          label={t`Time zone`}
          options={zoneOptions(draft.timeZone)}
          value={draft.timeZone}
          onChange={timeZone => change({ timeZone })}
        />
      </div>
      <TariffFields
        title={t`Price`}
        unit={`${draft.currency}/kWh`}
        tariff={draft.price}
        onChange={price => change({ price })}
      />
      <TariffFields title={CO2} unit="g/kWh" tariff={draft.co2} onChange={co2 => change({ co2 })} />
      <div>
        <Button
          kind="primary"
          type="submit"
          blockedBecause={
            !isValid ? t`Some values are not valid.` : isSameValue(draft, saved) ? t`Nothing was changed.` : undefined
          }
        >
          {t`Save`}
        </Button>
      </div>
    </form>
  )
}
