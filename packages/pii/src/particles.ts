/** Words in names that are written in lower case: `van`, `de la`, `y`. */
export const particle =
  /^(?:von|van|vom|zu|zum|zur|de|der|den|ter|ten|te|la|le|du|des|di|da|dos|das|do|del|della|dello|dalla|degli|el|al|bin|bint|ibn|ben|y|e|i|af|av|und|['’]?t|['’]s|d['’]|d|op|in|san|st)$/;
