import { t } from '@lingui/core/macro'
import { useState } from 'react'
import { IconButton } from '../actions/button.tsx'
import { TextField, type TextFieldProps } from './text-field.tsx'
import { asWord } from '../../../folding/text/format.ts'

type Props = Omit<TextFieldProps, 'type' | 'buttons'> & {
  readonly onCopy?: () => void
  readonly onGenerate?: () => void
  /** Makes visibility controlled, to show several fields together. */
  readonly isShown?: boolean
  readonly onShow?: (isShown: boolean) => void
}

/** A masked field with a button that shows its value. */
export function PasswordField({ onCopy, onGenerate, isShown: isShownFromOutside, onShow, ...field }: Props) {
  const [isShownHere, setShownHere] = useState(false)
  const isShown = isShownFromOutside ?? isShownHere
  const setShown = onShow ?? setShownHere
  const what = asWord(field.label)
  return (
    <TextField
      {...field}
      type={isShown ? 'text' : 'password'}
      isCode={isShown}
      buttons={
        <>
          {onGenerate === undefined ? undefined : (
            <IconButton icon="dice" label={t`Generate ${what}`} onPress={onGenerate} isSmall />
          )}
          {onCopy === undefined ? undefined : (
            <IconButton
              icon="copy"
              label={t`Copy ${what}`}
              blockedBecause={field.value === '' ? t`Nothing to copy.` : undefined}
              onPress={onCopy}
              isSmall
            />
          )}
          <IconButton
            icon={isShown ? 'eye-off' : 'eye'}
            // The pressed state shows whether it is shown, so the label must not change.
            label={t`Show ${what}`}
            isPressed={isShown}
            onPress={() => setShown(!isShown)}
          />
        </>
      }
    />
  )
}
