"""When was Easter?

The Gregorian reckoning is that of Meeus, Jones and Butcher, the Julian one that of Meeus
("Astronomical Algorithms", chapter 8).  Either gives a day of its own calendar, as written
there.
"""

from forebear.records.record import Day


def gregorian_easter(year: int) -> Day:
    """Return Easter Sunday of the Gregorian calendar.

    >>> str(gregorian_easter(1850))
    '1850-03-31'
    """
    golden = year % 19
    century, in_century = divmod(year, 100)
    leap_centuries, rest = divmod(century, 4)
    correction = (century - (century + 8) // 25 + 1) // 3
    epact = (19 * golden + century - leap_centuries - correction + 15) % 30
    quarters, left = divmod(in_century, 4)
    weekday = (32 + 2 * rest + 2 * quarters - epact - left) % 7
    late = (golden + 11 * epact + 22 * weekday) // 451
    month, day = divmod(epact + weekday - 7 * late + 114, 31)
    return Day(year, month, day + 1)


def julian_easter(year: int) -> Day:
    """Return Easter Sunday of the Julian calendar, written as a `Day`.

    >>> str(julian_easter(1650))
    '1650-04-14'
    """
    moon = (19 * (year % 19) + 15) % 30
    weekday = (2 * (year % 4) + 4 * (year % 7) - moon + 34) % 7
    month, day = divmod(moon + weekday + 114, 31)
    return Day(year, month, day + 1)
