import { useState } from 'react'
import { TextField } from '../../parts/fields/text-field.tsx'

type Props = {
  readonly label: string
  readonly name: string
  /** Characters. */
  readonly longest: number
  readonly isReadOnly?: boolean
  /** Called with Enter, or when the field is left, if something was typed. */
  readonly onRename: (name: string) => void
}

/** A name in a list that is edited in place. */
export function RenameField({ label, name, longest, isReadOnly = false, onRename }: Props) {
  const [typed, setTyped] = useState<string>()
  const rename = (): void => {
    if (typed !== undefined && typed !== name) onRename(typed)
    setTyped(undefined)
  }
  return (
    <form
      onSubmit={event => {
        event.preventDefault()
        rename()
      }}
    >
      <TextField
        label={label}
        isLabelHidden
        value={typed ?? name}
        onChange={text => setTyped(text.slice(0, longest))}
        onLeave={rename}
        isReadOnly={isReadOnly}
        autoComplete="off"
      />
    </form>
  )
}
