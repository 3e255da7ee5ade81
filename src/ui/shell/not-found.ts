/** The state of an address to which an unknown one led. */
export const NOT_FOUND = 'notFound'
