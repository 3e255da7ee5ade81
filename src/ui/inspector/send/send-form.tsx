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

/** Sends a machine an event that its active states accept. */
export function SendForm({ snapshot, isReplay, onSend }: Props) {
  const events = acceptedEvents(snapshot)
  const [chosen, setChosen] = useState('')
  const [payload, setPayload] = useState('{}')
  const [outcome, setOutcome] = useState<{ readonly error?: string; readonly said?: string }>({})
  const type = events.includes(chosen) ? chosen : events[0]
  if (type === undefined)
    return <p className={styles['note']}>In this state the machine accepts no events from outside.</p>
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
        <Label className="type-3 medium">Payload, as JSON</Label>
        <span className={fields['frame']}>
          <TextArea rows={6} className={styles['payload-text'] ?? ''} />
        </span>
        <FieldError className="color-failed type-2 medium">{error}</FieldError>
      </TextField>
      <div className="row gap-2-3 type-3">
        <Button
          kind="primary"
          blockedBecause={
            isReplay
              ? 'Events cannot be sent in a recording.'
              : error === undefined
                ? undefined
                : 'Correct the payload first.'
          }
          onPress={send}
        >
          Send
        </Button>
        <span role="status" className="quiet type-2">
          {outcome.said ?? ''}
        </span>
      </div>
      <p className={styles['note']}>
        The event has the same effect as a user action: it may stop a machine from folding.
      </p>
    </div>
  )
}
