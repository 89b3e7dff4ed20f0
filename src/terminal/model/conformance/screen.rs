//! What stands where.

use super::{SIZE, after, check, rows};

#[test]
fn text_and_moves() {
    check(&[
        ("wrap", "abcdefghijklmn", &["abcdefghijkl", "mn"], (2, 3)),
        ("a full row leaves the wrap pending", "abcdefghijkl", &["abcdefghijkl"], (1, 12)),
        ("a return ends a pending wrap", "abcdefghijkl\rX", &["Xbcdefghijkl"], (1, 2)),
        ("backspace ends a pending wrap", "abcdefghijkl\x08X", &["abcdefghijXl"], (1, 12)),
        ("left ends a pending wrap", "abcdefghijkl\x1b[DX", &["abcdefghijXl"], (1, 12)),
        ("down ends a pending wrap", "abcdefghijkl\x1b[BX", &["abcdefghijkl", "           X"], (2, 12)),
        ("up ends a pending wrap", "\r\nabcdefghijkl\x1b[AX", &["           X", "abcdefghijkl"], (1, 12)),
        ("erasing a pending wrap's rest", "abcdefghijkl\x1b[K", &["abcdefghijkl"], (1, 12)),
        ("CUP", "\x1b[3;4HX\x1b[HY", &["Y", "", "   X"], (1, 2)),
        ("HVP", "\x1b[2;2fX", &["", " X"], (2, 3)),
        ("CUU CUD CUF CUB", "\x1b[3;3H\x1b[Aa\x1b[2Bb\x1b[2Cc\x1b[4Dd", &["", "  a", "", "   d  c"], (4, 5)),
        ("CNL CPL", "ab\x1b[2Ec\x1b[Fd", &["ab", "d", "c"], (2, 2)),
        ("CHA HPA VPA", "\x1b[5Ga\x1b[9`b\x1b[3dc", &["    a   b", "", "         c"], (3, 11)),
        ("HPR VPR", "a\x1b[2ab\x1b[1ec", &["a  b", "    c"], (2, 6)),
        ("moves stop at the edges", "\x1b[99;99HX\x1b[99A\x1b[99DY", &["Y", "", "", "", "           X"], (1, 2)),
        ("controls inside a sequence", "ab\x1b[\r3Cc", &["ab c"], (1, 5)),
        ("a sequence cancelled", "a\x1b[12\x18b\x1b]0;t\x1ac", &["abc"], (1, 4)),
        ("a sequence begun anew", "a\x1b[12\x1b[3Cb", &["a   b"], (1, 6)),
        ("a DEL is nothing", "a\x7fb", &["ab"], (1, 3)),
        ("bytes that are no text", "a\u{80}b", &["ab"], (1, 3)),
    ]);
}

#[test]
fn line_feeds() {
    check(&[
        ("LF keeps the column", "ab\ncd", &["ab", "  cd"], (2, 5)),
        ("VT and FF are line feeds", "a\x0bb\x0cc", &["a", " b", "  c"], (3, 4)),
        ("IND", "ab\x1bDc", &["ab", "  c"], (2, 4)),
        ("NEL", "ab\x1bEc", &["ab", "c"], (2, 2)),
        ("RI", "\x1b[2;3Hab\x1bMc", &["    c", "  ab"], (1, 6)),
        ("RI at the top scrolls", "ab\x1b[H\x1bMc", &["c", "ab"], (1, 2)),
        ("IND at the bottom scrolls", "a\x1b[5Hb\x1bDc", &["", "", "", "b", " c"], (5, 3)),
        ("LNM", "\x1b[20hab\ncd\x1b[20l\nef", &["ab", "cd", "  ef"], (3, 5)),
        ("RI above a region does not scroll it", "\x1b[2;4r\x1b[2;1Ha\x1b[H\x1bMb", &["b", "a"], (1, 2)),
    ]);
}

#[test]
fn erasing_inserting_and_deleting() {
    check(&[
        ("EL 0", "abcdef\x1b[3G\x1b[K", &["ab"], (1, 3)),
        ("EL 1", "abcdef\x1b[3G\x1b[1K", &["   def"], (1, 3)),
        ("EL 2", "abcdef\x1b[3G\x1b[2K", &[], (1, 3)),
        ("ED 0", "ab\r\ncd\r\nef\x1b[2;2H\x1b[J", &["ab", "c"], (2, 2)),
        ("ED 1", "ab\r\ncd\r\nef\x1b[2;1H\x1b[1J", &["", " d", "ef"], (2, 1)),
        ("ED 2", "ab\r\ncd\x1b[2J", &[], (2, 3)),
        ("ED 3 leaves the screen", "ab\x1b[3Jc", &["abc"], (1, 4)),
        ("ECH", "abcdef\x1b[2G\x1b[3X", &["a   ef"], (1, 2)),
        ("ICH", "abcdef\x1b[2G\x1b[2@X", &["aX bcdef"], (1, 3)),
        ("DCH", "abcdef\x1b[2G\x1b[2P", &["adef"], (1, 2)),
        ("IL", "a\r\nb\r\nc\x1b[2H\x1b[LX", &["a", "X", "b", "c"], (2, 2)),
        ("DL", "a\r\nb\r\nc\x1b[2H\x1b[M", &["a", "c"], (2, 1)),
        ("SU", "a\r\nb\r\nc\x1b[S", &["b", "c"], (3, 2)),
        ("SD", "a\r\nb\x1b[2T", &["", "", "a", "b"], (2, 2)),
        ("SD in its other form", "a\r\nb\x1b[^", &["", "a", "b"], (2, 2)),
        ("mouse highlighting is no SD", "a\x1b[1;1;1;1;1Tb", &["ab"], (1, 3)),
        ("REP", "ab\x1b[3bc", &["abbbbc"], (1, 7)),
        ("REP wraps", "a\x1b[12bb", &["aaaaaaaaaaaa", "ab"], (2, 3)),
        ("REP of a wide character", "漢\x1b[2b", &["漢漢漢"], (1, 7)),
        ("REP of a combined character", "e\u{301}\x1b[2bx", &["e\u{301}e\u{301}e\u{301}x"], (1, 5)),
        ("REP with nothing to repeat", "\x1b[5bx", &["x"], (1, 2)),
        ("IRM", "abc\r\x1b[4hXY\x1b[4lZ", &["XYZbc"], (1, 4)),
        ("IRM with wide characters", "abc\r\x1b[4h漢x", &["漢xabc"], (1, 4)),
        ("IRM pushes over the edge", "abcdefghijkl\r\x1b[4hXY", &["XYabcdefghij"], (1, 3)),
        ("IRM goes on in the next row", "\r\nabc\x1b[1;12H\x1b[4hXY", &["           X", "Yabc"], (2, 2)),
        ("DECALN", "x\x1b[2;3r\x1b#8", &["EEEEEEEEEEEE"; 5], (1, 1)),
    ]);
}

#[test]
fn margins_regions_and_origin() {
    check(&[
        ("no wrap", "\x1b[?7labcdefghijklmnX", &["abcdefghijkX"], (1, 12)),
        ("no wrap, wide", "\x1b[?7labcdefghijk漢", &["abcdefghij漢"], (1, 12)),
        ("no wrap, in pieces", "\x1b[?7labcdefghijkl\x1b[1mm\x1b[0mn", &["abcdefghijkn"], (1, 12)),
        ("wrap again", "\x1b[?7labcdefghijklm\x1b[?7hno", &["abcdefghijkn", "o"], (2, 2)),
        ("DECSTBM goes home", "\x1b[3;3Hx\x1b[2;4ry", &["y", "", "  x"], (1, 2)),
        ("a region scrolls alone", "a\x1b[5Hz\x1b[2;3r\x1b[2Hb\r\nc\r\nd", &["a", "c", "d", "", "z"], (3, 2)),
        ("an impossible region is none", "a\x1b[2Hb\x1b[4;2rc", &["a", "bc"], (2, 3)),
        ("a region is reset", "\x1b[2;3r\x1b[ra\x1b[5Hb\r\nc", &["", "", "", "b", "c"], (5, 2)),
        (
            "DECCOLM clears and resets the region",
            "a\x1b[?40h\x1b[2;3r\x1b[3Hb\x1b[?3lc\x1b[5Hd",
            &["c", "", "", "", "d"],
            (5, 2),
        ),
        ("DECCOLM is refused as in xterm", "ab\x1b[?3lc", &["abc"], (1, 4)),
        ("DECOM counts from the region", "\x1b[2;4r\x1b[?6hx\x1b[2;2Hy\x1b[9Hz", &["", "x", " y", "z"], (4, 2)),
        ("DECOM and VPA", "\x1b[2;4r\x1b[?6h\x1b[2dx", &["", "", "x"], (3, 2)),
        ("DECOM ends", "\x1b[2;4r\x1b[?6h\x1b[?6lx", &["x"], (1, 2)),
        ("reverse scrolling in a region", "a\r\nb\r\nc\x1b[2;3r\x1b[2H\x1bMx", &["a", "x", "b"], (2, 2)),
        ("IL in a region", "a\r\nb\r\nc\r\nd\x1b[2;3r\x1b[2H\x1b[L", &["a", "", "b", "d"], (2, 1)),
    ]);
}

#[test]
fn tab_stops() {
    check(&[
        ("HT", "a\tb", &["a       b"], (1, 10)),
        ("HT at the end", "a\t\t\tb", &["a          b"], (1, 12)),
        ("HT with a wrap pending", "abcdefghijkl\ty", &["abcdefghijkl", "y"], (2, 2)),
        ("CHT with a wrap pending", "\x1b[3gabcdefghijkl\x1b[2Iy", &["abcdefghijkl", "y"], (2, 2)),
        ("HTS", "\x1b[4G\x1bH\r\tx\ty", &["   x    y"], (1, 10)),
        ("TBC 0", "\x1b[9G\x1b[g\r\tx", &["           x"], (1, 12)),
        ("TBC 3", "\x1b[3g\x1b[3G\x1bH\r\tx\ty", &["  x        y"], (1, 12)),
        ("CHT", "\x1b[3G\x1bH\r\x1b[2Ix", &["        x"], (1, 10)),
        ("CBT", "\x1b[11G\x1b[Zx", &["        x"], (1, 10)),
        ("CBT twice", "\x1b[11G\x1b[2Zx", &["x"], (1, 2)),
        ("DECST8C", "\x1b[3g\x1b[?5W\ta", &["        a"], (1, 10)),
        ("RIS", "\x1b[3gx\x1bc\ta", &["        a"], (1, 10)),
    ]);
}

#[test]
fn line_drawing() {
    check(&[
        ("G0", "\x1b(0lqk\x1b(Blqk", &["┌─┐lqk"], (1, 7)),
        ("G1 and the shifts", "\x1b)0\x0ex\x0fx", &["│x"], (1, 3)),
        ("the signs", "\x1b(0`afg~{|}\x1b(B", &["◆▒°±·π≠£"], (1, 9)),
        ("all the lines", "\x1b(0jklmnqtuvwx\x1b(B", &["┘┐┌└┼─├┤┴┬│"], (1, 12)),
        ("letters and digits stay", "\x1b(0AZ09^\x1b(B", &["AZ09^"], (1, 6)),
        ("British", "\x1b(A#a\x1b(B#", &["£a#"], (1, 4)),
        ("Latin-1", "\x1b.A\x1bn#$\x0f#", &["£¤#"], (1, 4)),
        ("single shifts", "\x1b*0\x1bNqq\x1b+0\x1bOqq", &["─q─q"], (1, 5)),
        ("locking shifts", "\x1b*0\x1bnq\x1b+A\x1bo#\x0fq#", &["─£q#"], (1, 5)),
        ("REP", "\x1b(0q\x1b[3b\x1b(Bq", &["────q"], (1, 6)),
        ("other text beside", "\x1b(0é漢q", &["é漢─"], (1, 5)),
        ("RIS", "\x1b(0q\x1bcq", &["q"], (1, 2)),
    ]);
}

#[test]
fn saved_cursors() {
    check(&[
        ("DECSC DECRC", "ab\x1b7\x1b[4;4Hx\x1b8c", &["abc", "", "", "   x"], (1, 4)),
        ("CSI s and u", "ab\x1b[s\x1b[4;4Hx\x1b[uc", &["abc", "", "", "   x"], (1, 4)),
        ("one into the other", "ab\x1b[s\x1b[4;4Hx\x1b8c\x1b7\r\x1b[ud", &["abcd", "", "", "   x"], (1, 5)),
        ("?1048", "ab\x1b[?1048h\x1b[4;4Hx\x1b[?1048lc", &["abc", "", "", "   x"], (1, 4)),
        ("restored twice", "a\x1b7b\x1b8c\x1b8d", &["ad"], (1, 3)),
        ("nothing saved", "abc\x1b8x", &["xbc"], (1, 2)),
        ("the character set", "\x1b(0\x1b7\x1b(Bq\x1b8q", &["─"], (1, 2)),
        ("the origin", "\x1b[2;4r\x1b[?6h\x1b7\x1b[?6l\x1b8\x1b[Hx", &["", "x"], (2, 2)),
        ("while a region moves", "\x1b[3;3H\x1b7\x1b[1;2r\x1b8x", &["", "", "  x"], (3, 4)),
    ]);
}

#[test]
fn the_two_screens() {
    check(&[
        ("?1049", "ab\x1b[?1049hX\x1b[?1049lc", &["abc"], (1, 4)),
        ("?1049 keeps the place", "ab\x1b[?1049hX", &["  X"], (1, 4)),
        ("?1049 clears", "\x1b[?1049hX\x1b[?1049l\x1b[?1049h\x1b[4Cx", &["    x"], (1, 6)),
        ("?47 clears nothing", "\x1b[?47hX\x1b[?47l\r\x1b[?47h\x1b[2Cy", &["X y"], (1, 4)),
        ("?47 shares the cursor", "ab\x1b[?47h\x1b[3;3Hx\x1b[?47lc", &["ab", "", "   c"], (3, 5)),
        ("?1047 clears when it ends", "\x1b[?1047hX\x1b[?1047l\x1b[?47hy", &[" y"], (1, 3)),
        ("the region is common", "\x1b[2;3r\x1b[?47h\x1b[2Ha\r\nb\r\nc", &["", "b", "c"], (3, 2)),
        ("twice is once", "a\x1b[?1049h\x1b[?1049hX\x1b[?1049lb", &["ab"], (1, 3)),
    ]);
}

#[test]
fn resets() {
    check(&[
        ("RIS", "ab\x1b[2;3r\x1b[4h\x1b[?7l\x1b[?6h\x1bcabcdefghijklmn", &["abcdefghijkl", "mn"], (2, 3)),
        ("RIS leaves the alternate screen", "a\x1b[?1049hb\x1bcc", &["c"], (1, 2)),
        (
            "DECSTR",
            "ab\x1b[2;3r\x1b[?6h\x1b[4h\x1b[?7l\x1b(0\x1b7\x1b[!pq\x1b[5;12Hxyz\x1b8v",
            &["v", "", "", "           x", "yz"],
            (1, 2),
        ),
        ("DECSTR shows the cursor", "\x1b[?25l\x1b[3;3H\x1b[!p", &[], (3, 3)),
    ]);
    let soft = after(SIZE, b"\x1b[?25l\x1b[?1h\x1b[!p");
    assert!(soft.frame.cursor_visible && !soft.modes.application_cursor);
}

#[test]
fn strings_show_nothing() {
    check(&[
        ("OSC by BEL", "a\x1b]0;t;u\x07b", &["ab"], (1, 3)),
        ("OSC by ST", "a\x1b]0;title\x1b\\b", &["ab"], (1, 3)),
        ("links", "\x1b]8;id=1;https://a.example/\x1b\\ab\x1b]8;;\x1b\\c", &["abc"], (1, 4)),
        ("shell marks", "\x1b]133;A\x07$ \x1b]133;B\x07x\x1b]7;file:///tmp\x07y", &["$ xy"], (1, 5)),
        ("probes", "\x1b]1337;Capabilities\x07\x1b]99;i=1:p=?;\x1b\\\x1b]66;w=1; \x1b\\a", &["a"], (1, 2)),
        ("kitty graphics", "a\x1b_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\x1b\\b", &["ab"], (1, 3)),
        ("PM and SOS", "a\x1b^private\x1b\\b\x1bXstart\x1b\\c", &["abc"], (1, 4)),
        ("sixel", "a\x1bPq#0;2;0;0;0#0~~@@\x1b\\b", &["ab"], (1, 3)),
        ("a string with a bell inside", "a\x1bPx\x07y\x1b\\b", &["ab"], (1, 3)),
        ("a string with text inside", "a\x1b_漢é\x1b\\b", &["ab"], (1, 3)),
        ("a string cut by a sequence", "a\x1b_x\x1b[3Cb", &["a   b"], (1, 6)),
    ]);
}

#[test]
fn titles_and_bells() {
    let seen = after(SIZE, b"\x1b]2;one; two;three\x07\x07\x1b[22;0t\x1b]0;other\x1b\\\x1b[23;0t\x07");
    assert_eq!((seen.title.as_str(), seen.bells), ("one; two;three", 2));
}

#[test]
fn a_screen_in_reverse() {
    let seen = after(SIZE, b"a\x1b[7mb\x1b[?5h");
    let inverse: Vec<bool> = seen.frame.cells.iter().take(3).map(|cell| cell.style.inverse).collect();
    assert_eq!(inverse, [true, false, true]);
    assert_eq!(rows(&seen.frame)[0], "ab");
}

#[test]
fn a_flood_without_wrapping_shows_its_end() {
    let mut sent = b"\x1b[?7l".to_vec();
    sent.extend(std::iter::repeat_n(b'x', 300));
    sent.push(b'y');
    assert_eq!(rows(&after(SIZE, &sent).frame)[0], "xxxxxxxxxxxy");
}
