import { useRef, type ComponentProps } from 'react'
import { Button } from './button.tsx'

type Props = Omit<ComponentProps<typeof Button>, 'onPress'> & {
  /** Endings of names, or media types. */
  readonly accept: readonly string[]
  readonly onChoose: (file: File) => void
}

/** A button that lets the person choose a file. */
export function FileButton({ accept, onChoose, ...button }: Props) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button {...button} onPress={() => input.current?.click()} />
      <input
        ref={input}
        type="file"
        hidden
        accept={accept.join()}
        onChange={({ currentTarget }) => {
          const file = currentTarget.files?.[0]
          // So that the same file can be chosen again.
          currentTarget.value = ''
          if (file !== undefined) onChoose(file)
        }}
      />
    </>
  )
}
