import { t } from '@lingui/core/macro'
import { Link } from 'react-router-dom'
import { Help } from '../overlays/help.tsx'

type Props = {
  readonly about: string
  readonly text: string
  /** Where the guide says more. */
  readonly page?: string
}

/** Help for one field: a sentence or two. */
export function FieldHelp({ about, text, page }: Props) {
  return (
    <Help about={about}>
      <p>{text}</p>
      {page === undefined ? undefined : <Link to={page} className="link">{t`Help`}</Link>}
    </Help>
  )
}
