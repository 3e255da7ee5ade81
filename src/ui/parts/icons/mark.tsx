/** The app's logo: a ribbon folded into an F. */
export function Mark() {
  return (
    <svg viewBox="0 0 24 24" width="24" height="24" fill="currentColor" aria-hidden="true" focusable="false">
      <path d="M3.5 8h6v14.5l-3-3-3 3z" />
      <path d="M9.5 2H22l-3 3 3 3H3.5z" opacity="0.62" />
      <path d="M9.5 10.75H19l-2.75 2.75L19 16.25H9.5z" opacity="0.62" />
    </svg>
  )
}
