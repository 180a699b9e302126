#!/usr/bin/env perl
# A bot in another language. Try it: unop2p bot check examples/mybot.pl
# Play against it:            unop2p play --bot examples/mybot.pl
#
# One JSON object a line comes in, one goes out; docs/reference/bots.md shows each.
use strict;
use warnings;
use JSON::PP;

$| = 1;    # without this the answers would wait in a buffer
my $json = JSON::PP->new->canonical;

sub say_message { print $json->encode(shift), "\n" }

sub points {
    my $card = shift;
    return 50 if $card =~ /^W/;              # every wild
    return $card =~ /^.(\d)$/ ? $1 : 20;     # a number; Skip, Reverse and Draw Two
}

# What a play is worth: cards that cost most first, but wilds last; and a color that we hold.
sub worth {
    my ($move, $hand) = @_;
    my $card = $move->{cards}[0];
    my $value = 0;
    $value += points($_) for @{ $move->{cards} };
    $value -= 200 if $card =~ /^W/;
    $value += 5 * grep { /^\Q$move->{color}\E/ } @$hand if defined $move->{color};
    $value += 1000 if $move->{uno};          # never forget the call
    return $value;
}

sub choose {
    my $act = shift;
    my ($legal, $hand) = ($act->{legal}, $act->{view}{hand});
    my ($best, $most) = (undef, undef);
    for my $index (0 .. $#$legal) {
        my $move = $legal->[$index];
        my $value =
            $move->{do} eq 'play'      ? worth($move, $hand)
          : $move->{do} eq 'uno'       ? 3000
          : $move->{do} eq 'catch'     ? 2000
          : $move->{do} eq 'challenge' ? -900
          : $move->{do} eq 'color'     ? scalar(grep { /^$move->{color}/ } @$hand)
          :                              -500;    # draw, pass, accept
        ($best, $most) = ($index, $value) if !defined $most || $value > $most;
    }
    return $best;
}

while (my $line = <STDIN>) {
    my $message = eval { decode_json($line) } or next;
    my $type = $message->{type} // '';
    if    ($type eq 'hello') { say_message({ type => 'ready', protocol => 1, name => 'mybot' }) }
    elsif ($type eq 'bye')   { last }
    elsif ($type eq 'act') {
        say_message({ type => 'move', id => $message->{id}, index => choose($message) });
    }    # a type that we do not know is passed over
}
