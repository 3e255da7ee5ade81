import { useState } from 'react'
import { FieldError } from 'react-aria-components/FieldError'
import { Label, TextField } from 'react-aria-components/TextField'
import { TextArea } from 'react-aria-components/TextArea'
import type { AnyEventObject, AnyMachineSnapshot } from 'xstate'
import { Button } from '../../parts/actions/button.tsx'
import fields from '../../parts/fields/field.module.css'
import { Select } from '../../parts/fields/select.tsx'
import styles from '../inspector.module.css'
import { acceptedEvents, checkEvent, readFields } from './accepted.ts'

type Props = {
  readonly snapshot: AnyMachineSnapshot
  readonly isReplay: boolean
  readonly onSend: (event: AnyEventObject) => void
}

/** Tells a machine something that one of its active states has an ear for. */
export const SendForm = ({ snapshot, isReplay, onSend }: Props) => {
  const events = acceptedEvents(snapshot)
  const [chosen, setChosen] = useState('')
  const [payload, setPayload] = useState('{}')
  const [outcome, setOutcome] = useState<{ readonly error?: string; readonly said?: string }>({})
  const type = events.includes(chosen) ? chosen : events[0]
  if (type === undefined)
    return <p className={styles['note']}>In this state it listens to nothing but its own effects and timers.</p>
  const written = readFields(payload)
  const error = typeof written === 'string' ? written : outcome.error
  const send = (): void => {
    const checked = checkEvent(snapshot, type, payload)
    if (checked.ok) onSend(checked.event)
    setOutcome(checked.ok ? { said: `Sent: ${type}` } : { error: checked.why })
  }
  return (
    <div className={styles['form']}>
      <Select
        label="Event"
        options={events.map(id => ({ id, label: id }))}
        value={type}
        onChange={id => {
          setChosen(id)
          setOutcome({})
        }}
      />
      <TextField
        className={fields['field'] ?? ''}
        value={payload}
        onChange={text => {
          setPayload(text)
          setOutcome({})
        }}
        isInvalid={error !== undefined}
        validationBehavior="aria"
        spellCheck="false"
      >
        <Label className={fields['label'] ?? ''}>Payload, as JSON</Label>
        <span className={fields['frame']}>
          <TextArea rows={6} className={styles['payload-text'] ?? ''} />
        </span>
        <FieldError className={fields['error'] ?? ''}>{error}</FieldError>
      </TextField>
      <div className={styles['tools']}>
        <Button
          kind="primary"
          blockedBecause={
            isReplay
              ? 'This is a recording: nobody would receive it.'
              : error === undefined
                ? undefined
                : 'What is wrong is said above.'
          }
          onPress={send}
        >
          Send
        </Button>
        <span role="status" className={styles['status']}>
          {outcome.said ?? ''}
        </span>
      </div>
      <p className={styles['note']}>It is received as if a person had caused it: a machine that folds may stop.</p>
    </div>
  )
}
