import { Help } from '../overlays/help.tsx'

/** Help for one field: a sentence or two. */
export const FieldHelp = ({ about, text }: { readonly about: string; readonly text: string }) => (
  <Help about={about}>
    <p>{text}</p>
  </Help>
)
