import { t } from '@lingui/core/macro'
import { Link } from 'react-router-dom'

/** Leads to the guide in a tab of its own: what is typed beside it stays. */
export function HelpBeside({ to }: { readonly to: string }) {
  return (
    <Link to={to} target="_blank" className="link">
      {t`Help`}
    </Link>
  )
}
