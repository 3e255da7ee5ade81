import { Help } from '../overlays/help.tsx'

/** Help for one field: a sentence or two. */
export function FieldHelp({ about, text }: { readonly about: string; readonly text: string }) {
  return (
    <Help about={about}>
      <p>{text}</p>
    </Help>
  )
}
