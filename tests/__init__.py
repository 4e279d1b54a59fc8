"""Tests mirror the packages; fixtures/ by concern, journeys/ for whole ways."""
