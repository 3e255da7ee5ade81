import { useEffect } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'
import { ownValue, text } from '../../folding/shared/read.ts'
import { useSystem } from './system-context.ts'
import { useSelector } from './use-selector.ts'

/** In the state of a place: the page of the account that was asked for before anybody was signed in. */
export const AFTER_SIGN_IN = 'afterSignIn'

/** Leads to the page that was asked for, once somebody has signed in, unless another page was opened meanwhile. */
export function useReturnAfterSignIn(): void {
  const navigate = useNavigate()
  const location = useLocation()
  const page = text(ownValue(location.state as unknown, AFTER_SIGN_IN))
  const isIn = useSelector(useSystem().account, snapshot => snapshot.hasTag('signedIn'))
  useEffect(() => {
    if (isIn && page !== undefined) void navigate(page, { replace: true })
  }, [isIn, page, navigate])
}
